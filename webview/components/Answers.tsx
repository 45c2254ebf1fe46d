import type { ComparisonView } from '../../src/contracts/reportView';
import { LongText } from './Text';

/** The most frequent answers of both arms, side by side: usually all that one needs to see. */
export function Answers({ row }: { row: ComparisonView }) {
  if (row.answers.length === 0) return null;
  // Where every answer is its own, counting them says nothing.
  if (row.answers.every(({ baseline, perturbed }) => baseline + perturbed === 1)) return null;
  const most = Math.max(
    ...row.answers.map(({ baseline, perturbed }) => Math.max(baseline, perturbed)),
    row.otherAnswers.baseline,
    row.otherAnswers.perturbed,
  );
  return (
    <table class="answers">
      <caption>Answers, and how often each was given</caption>
      <thead>
        <tr>
          <th scope="col">Answer</th>
          <th scope="col">
            <span class="key key-p0" /> Baseline
          </th>
          <th scope="col">
            <span class="key key-p1" /> {row.name}
          </th>
        </tr>
      </thead>
      <tbody>
        {row.answers.map((answer, i) => (
          <tr key={i}>
            <th scope="row">
              <LongText text={answer.text} chars={90} />
            </th>
            <Count count={answer.baseline} most={most} arm="p0" />
            <Count count={answer.perturbed} most={most} arm="p1" />
          </tr>
        ))}
        {row.otherAnswers.distinct > 0 && (
          <tr>
            <th scope="row">
              <em class="quiet">{row.otherAnswers.distinct} others</em>
            </th>
            <Count count={row.otherAnswers.baseline} most={most} arm="p0" />
            <Count count={row.otherAnswers.perturbed} most={most} arm="p1" />
          </tr>
        )}
      </tbody>
    </table>
  );
}

function Count({ count, most, arm }: { count: number; most: number; arm: 'p0' | 'p1' }) {
  return (
    <td>
      <span class="count">{count}</span>
      <svg class="count-bar" width="100%" height="10" aria-hidden="true">
        <rect class={`bar-${arm}`} width={`${most === 0 ? 0 : (100 * count) / most}%`} height="10" />
      </svg>
    </td>
  );
}
