import { useEffect, useState } from 'preact/hooks';
import type { ComparisonView, SampleView } from '../../src/contracts/reportView';
import type { Problem } from '../../src/contracts/webviewProtocol';
import { bridge } from '../state';
import { LongText } from './Text';

const FIRST = 5;
const MORE = 20;

interface Arm {
  total: number;
  samples: SampleView[];
}
const noSamples: Arm = { total: 0, samples: [] };

/** Samples of both arms in pairs: the same seed stands in the same row. */
export function Samples({ baselineId, row }: { baselineId: string; row: ComparisonView }) {
  const [shown, setShown] = useState(FIRST);
  const [arms, setArms] = useState<[Arm, Arm] | null>(null);
  const [failure, setFailure] = useState('');
  useEffect(() => {
    let current = true;
    const ask = (conditionId: string) => fetchUpTo(conditionId, shown);
    Promise.all([ask(baselineId), ask(row.conditionId)])
      .then((both) => {
        if (current) setArms(both);
      })
      .catch((problem: Partial<Problem>) => {
        if (current) setFailure(problem.message ?? 'The samples could not be loaded.');
      });
    return () => {
      current = false;
    };
  }, [baselineId, row.conditionId, shown]);

  if (failure !== '') return <p class="quiet">{failure}</p>;
  const [baseline, perturbed] = arms ?? [noSamples, noSamples];
  const total = Math.max(baseline.total, perturbed.total);
  const pairs = Array.from({ length: Math.min(shown, total) }, (_, i) => i);
  return (
    <section class="samples" aria-label={`Samples: baseline and ${row.name}`}>
      <h3>Samples side by side</h3>
      <div class="pair pair-head" aria-hidden="true">
        <span />
        <strong>Baseline</strong>
        <strong>{row.name}</strong>
      </div>
      <ol class="pairs">
        {pairs.map((i) => (
          <li class="pair" key={i}>
            <span class="pair-number quiet">{i + 1}</span>
            <Sample sample={baseline.samples[i]} arm="Baseline" />
            <Sample sample={perturbed.samples[i]} arm={row.name} />
          </li>
        ))}
      </ol>
      {arms && total === 0 && <p class="quiet">No samples arrived.</p>}
      {total > shown && (
        <button type="button" class="link" onClick={() => setShown(shown + MORE)}>
          Show {Math.min(MORE, total - shown)} more of {total.toLocaleString('en')}
        </button>
      )}
    </section>
  );
}

/** The first `count` samples of a condition, in requests of at most 500. */
async function fetchUpTo(conditionId: string, count: number): Promise<Arm> {
  const samples: SampleView[] = [];
  for (;;) {
    const limit = Math.min(500, count - samples.length);
    const page = await bridge.request('samples', { conditionId, offset: samples.length, limit });
    samples.push(...page.samples);
    const wanted = Math.min(count, page.total);
    if (samples.length >= wanted || page.samples.length === 0) return { total: page.total, samples };
  }
}

function Sample({ sample, arm }: { sample: SampleView | undefined; arm: string }) {
  if (!sample) return <div class="sample sample-none quiet">–</div>;
  return (
    <div class={`sample sample-${sample.outcome === 'ok' ? 'ok' : 'other'}`} title={sample.detail}>
      <span class="sample-arm">{arm}</span>
      {sample.outcome !== 'ok' && <span class="outcome">{sample.outcomeText}</span>}
      <LongText text={sample.text} />
      {sample.clipped && <span class="quiet"> (cut at the answer window)</span>}
      {sample.thinking && (
        <details class="thinking">
          <summary>Thinking</summary>
          <LongText text={sample.thinking} />
        </details>
      )}
    </div>
  );
}
