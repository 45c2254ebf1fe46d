import type { ProgressView } from '../../src/contracts/reportView';
import { attempt, bridge } from '../state';

export function ProgressCard({ progress }: { progress: ProgressView }) {
  return (
    <>
      <Card progress={progress} />
      {progress.arms.length > 0 && <Arms arms={progress.arms} looksText={progress.looksText} />}
    </>
  );
}

/** What has arrived. Rows stand from the beginning, one line each, so that nothing jumps; no figure is tested yet. */
function Arms({ arms, looksText }: Pick<ProgressView, 'arms' | 'looksText'>) {
  return (
    <section class="section" aria-labelledby="arrived-title">
      <h2 id="arrived-title">What has arrived so far</h2>
      <p class="lead">
        {looksText === null
          ? 'Partial: nothing is tested, and no p-value exists, before all answers are there.'
          : `${looksText} What came since is not tested before the next look.`}
      </p>
      <table class="arms">
        <thead>
          <tr>
            <th scope="col">Prompt</th>
            <th scope="col">Answers</th>
            <th scope="col">Most often so far</th>
          </tr>
        </thead>
        <tbody>
          {arms.map((arm, i) => (
            <tr key={i}>
              <th scope="row">{arm.name}</th>
              <td>
                <span class="count">{arm.done}</span> of {arm.total}
                <svg class="arm-bar" width="72" height="8" aria-hidden="true">
                  <rect class="arm-track" width="72" height="8" />
                  <rect class="bar-p0" width={(72 * arm.done) / arm.total} height="8" />
                </svg>
                {arm.failed > 0 && <span class="quiet"> {arm.failed} failed</span>}
              </td>
              <td class="arm-answer">
                <bdi class="raw">{arm.commonest ?? '–'}</bdi>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Card({ progress }: { progress: ProgressView }) {
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
