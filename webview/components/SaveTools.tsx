import { useState } from 'preact/hooks';
import type { ExportFormat } from '../../src/contracts/exportFormat';
import { attempt, bridge } from '../state';

const formats: [ExportFormat, string][] = [
  ['html', 'HTML page'],
  ['markdown', 'Markdown, for a pull request'],
  ['json', 'JSON, the whole record'],
  ['csv', 'CSV of the answers'],
  ['perturbations', 'CSV of the changes'],
  ['junit', 'JUnit XML'],
  ['sarif', 'SARIF'],
];

/** Saves the report; the host asks where. */
export function SaveTools() {
  const [format, setFormat] = useState<ExportFormat>('html');
  const [redact, setRedact] = useState(false);
  const save = () =>
    void attempt(bridge.request('export', { format, redact }), ({ path }) =>
      path === null ? '' : `Saved to ${path}.`,
    );
  return (
    <div class="actions" role="group" aria-label="Save the report">
      <label>
        Save as
        <select value={format} onChange={(event) => setFormat(event.currentTarget.value as ExportFormat)}>
          {formats.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={redact}
          onChange={(event) => setRedact(event.currentTarget.checked)}
        />
        without texts
      </label>
      <vscode-button secondary onClick={save}>
        Save
      </vscode-button>
    </div>
  );
}
