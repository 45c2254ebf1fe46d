import type { AgainstView } from '../../src/contracts/reportView';
import { Section } from './Section';

/** This run beside another one. */
export function Against({ against }: { against: AgainstView }) {
  return (
    <Section id="against" title="Against another run">
      <p class="lead">{against.sentence}</p>
      {against.differences.length > 0 && (
        <ul class="plain-list" aria-label="What differs between the runs">
          {against.differences.map((difference) => (
            <li key={difference}>{difference}</li>
          ))}
        </ul>
      )}
      <div class="scroll-x" tabIndex={0} role="region" aria-label="Both runs, change by change">
        <table class="against">
          <thead>
            <tr>
              <th scope="col">Change</th>
              <th scope="col">There</th>
              <th scope="col">Here</th>
            </tr>
          </thead>
          <tbody>
            {against.rows.map((row) => (
              <tr key={`${row.perturbationId} ${row.now === null}`} class={row.flipped ? 'flipped' : ''}>
                <th scope="row">
                  {row.flipped && <span class="only-heard">Different: </span>}
                  {row.flipped && '◆ '}
                  {row.name}
                </th>
                <Side side={row.before} />
                <Side side={row.now} />
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}

function Side({ side }: { side: AgainstView['rows'][number]['now'] }) {
  if (side === null) return <td class="quiet">not tried</td>;
  return (
    <td>
      {side.verdictText} <span class="quiet">{side.effectText}</span>
    </td>
  );
}
