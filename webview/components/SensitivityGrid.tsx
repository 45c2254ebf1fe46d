import type { ComparisonView } from '../../src/contracts/reportView';
import { Term } from './Glossary';

/** Would another choice of distance have said something else? One row per statistic of the family. */
export function SensitivityGrid({ row }: { row: ComparisonView }) {
  return (
    <>
      <p>
        {row.agreementText} The <Term id="omnibus">omnibus test</Term> over all of them gives{' '}
        {row.pText.startsWith('<') ? `p ${row.pText}` : `p = ${row.pText}`}.
      </p>
      <div class="scroll-x" tabIndex={0} role="region" aria-label="Sensitivity grid">
        <table class="grid">
          <thead>
            <tr>
              <th scope="col">Statistic</th>
              <th scope="col" class="num">
                Value
              </th>
              <th scope="col" class="num">
                z
              </th>
              <th scope="col" class="num">
                <Term id="p">p</Term>
              </th>
              <th scope="col" class="num">
                <Term id="step-down">Step-down p</Term>
              </th>
              <th scope="col">Alone, it says</th>
            </tr>
          </thead>
          <tbody>
            {row.members.map((member) => (
              <tr key={member.id} class={member.dropped === null ? '' : 'quiet'}>
                <th scope="row">{member.name}</th>
                {member.dropped === null ? (
                  <>
                    <td class="num">{member.statistic.text}</td>
                    <td class="num">{member.z.text}</td>
                    <td class="num">{member.p.text}</td>
                    <td class="num">{member.adjustedP.text}</td>
                    <td>{member.agrees ? '◆ changed' : '○ no change detected'}</td>
                  </>
                ) : (
                  <td colSpan={5}>left out: {member.dropped}</td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
