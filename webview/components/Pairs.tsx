import { useState } from 'preact/hooks';
import type { ComparisonView, SampleView } from '../../src/contracts/reportView';
import { attempt, bridge } from '../state';
import { SampleReader } from './SampleReader';

/** The two answers most alike and the two least alike, across both prompts. */
export function Pairs({ row, baselineId }: { row: ComparisonView; baselineId: string }) {
  const [shown, setShown] = useState<'nearest' | 'furthest' | null>(null);
  const [pair, setPair] = useState<SampleView[]>([]);
  const { pairs } = row;
  if (pairs === null) return null;
  const show = (which: 'nearest' | 'furthest') => {
    if (shown === which) {
      setShown(null);
      return;
    }
    const wanted = pairs[which];
    void attempt(
      Promise.all([sampleAt(baselineId, wanted.baseline), sampleAt(row.conditionId, wanted.perturbed)]),
      (both) => {
        setPair(both.flatMap((sample) => (sample ? [sample] : [])));
        setShown(which);
        return '';
      },
    );
  };
  const nameOf = ({ conditionId, index }: SampleView) =>
    `${conditionId === baselineId ? 'Baseline' : row.name} ${index + 1}`;
  return (
    <div class="pairs-choice">
      <p>
        {(['nearest', 'furthest'] as const).map((which) => (
          <button
            key={which}
            type="button"
            class="link"
            aria-expanded={shown === which}
            onClick={() => show(which)}
          >
            {which === 'nearest' ? 'Nearest' : 'Furthest'} pair (similarity {pairs[which].similarityText})
          </button>
        ))}
      </p>
      {shown && <SampleReader picked={pair} nameOf={nameOf} />}
    </div>
  );
}

/** Samples that failed have an index too, so a place in the list is an index, unless some never came. */
async function sampleAt(conditionId: string, index: number): Promise<SampleView | undefined> {
  for (let offset = Math.max(0, index - 50); ; offset += 100) {
    const { samples, total } = await bridge.request('samples', { conditionId, offset, limit: 100 });
    const found = samples.find((sample) => sample.index === index);
    if (found || offset + 100 >= total) return found;
  }
}
