import type { ProgressView } from '../../src/contracts/reportView';
import { attempt, bridge } from '../state';

export function ProgressCard({ progress }: { progress: ProgressView }) {
  const { total, done } = progress;
  return (
    <header class="card card-progress">
      <div class="card-body">
        <p class="eyebrow">
          {progress.title} · {progress.modelId}
        </p>
        <h1>{progress.phaseText}</h1>
        <p class="only-heard" role="status">
          {progress.phaseText}
        </p>
        <vscode-progress-bar
          aria-label={progress.phaseText}
          indeterminate={total === 0}
          {...(total === 0 ? {} : { value: done, max: total })}
        />
        <p class="progress-counts">
          <span>{progress.countText}</span>
          <span>
            Step {progress.phase} of {progress.phases}
          </span>
          <span>{progress.timeLeftText}</span>
        </p>
        {progress.warnings.map((warning) => (
          <p class="hint" key={warning}>
            {warning}
          </p>
        ))}
      </div>
      <div class="actions">
        <vscode-button secondary disabled={progress.cancelling} onClick={cancel}>
          Cancel
        </vscode-button>
      </div>
    </header>
  );
}

function cancel() {
  void attempt(bridge.request('cancel', {}), ({ cancelled }) =>
    cancelled ? 'Stopping. Answers that have arrived are kept.' : 'The run had already ended.',
  );
}
