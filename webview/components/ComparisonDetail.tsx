import type { ComparisonView, ReportView } from '../../src/contracts/reportView';
import { NullHistogram } from '../charts/NullHistogram';
import { SimilarityHistogram } from '../charts/SimilarityHistogram';
import { attempt, bridge } from '../state';
import { Answers } from './Answers';
import { Samples } from './Samples';
import { Disclosure } from './Section';
import { OutputMap } from '../charts/OutputMap';
import { SensitivityMap } from '../charts/SensitivityMap';
import { Pairs } from './Pairs';
import { SensitivityGrid } from './SensitivityGrid';
import { Diff } from './Text';

export function ComparisonDetail({ row, view }: { row: ComparisonView; view: ReportView }) {
  const reveal = () =>
    void attempt(bridge.request('reveal', { span: row.span }), ({ shown }) =>
      shown ? '' : 'The file has changed since; the place is no longer there.',
    );
  const unusual = row.outcomes.filter(({ outcome }) => outcome !== 'ok');
  return (
    <div class="detail">
      <p class="detail-sentence">{row.sentence}</p>
      <p class="quiet">
        {row.description}
        {row.expectationText !== null && ` It ${row.expectationText}; strength: ${row.strengthText}.`}
        {unusual.length > 0 &&
          ` Of its answers, ${unusual.map(({ label, count }) => `${count} ${label}`).join(', ')}.`}
      </p>
      <div class="prompt-text">
        <Diff hunks={row.diff} />
      </div>
      {bridge.kind === 'editor' && view.prompt.revealable && (
        <p>
          <vscode-button secondary onClick={reveal}>
            Show in editor
          </vscode-button>
        </p>
      )}
      <Answers row={row} />
      {view.baselineId && <Samples key={row.conditionId} baselineId={view.baselineId} row={row} />}
      {view.baselineId && <Pairs key={`pairs ${row.conditionId}`} row={row} baselineId={view.baselineId} />}
      {row.members.length > 0 && (
        <Disclosure id="sure" class="sure" summary={<h3>How sure is this?</h3>}>
          <div class="charts">
            <SimilarityHistogram row={row} />
            <NullHistogram row={row} />
            {view.map && view.baselineId && (
              <OutputMap map={view.map} row={row} baselineId={view.baselineId} />
            )}
            <SensitivityMap row={row} alpha={view.alpha} />
          </div>
          <SensitivityGrid row={row} />
        </Disclosure>
      )}
    </div>
  );
}
