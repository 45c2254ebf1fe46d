import type { EditView } from '../../src/contracts/reportView';
import { CompositeNull } from '../charts/CompositeNull';
import { Section } from './Section';
import { Diff } from './Text';

/** What was edited, how it stands among harmless rewordings, and what was asked to find out. */
export function EditSection({ edit }: { edit: EditView }) {
  return (
    <Section id="edit" title={`The edit since ${edit.against}`}>
      <div class="prompt-text">
        <Diff hunks={edit.diff} />
      </div>
      {edit.composite ? (
        <div class="charts">
          <CompositeNull composite={edit.composite} />
        </div>
      ) : (
        <p class="quiet">
          Rewordings were not asked: they are where an edit moves the answers, to see whether it does so by
          more than they do.
        </p>
      )}
      <h3>What was asked</h3>
      <div class="scroll-x" tabIndex={0} role="region" aria-label="What was asked">
        <table class="asked">
          <thead>
            <tr>
              <th scope="col">Prompt</th>
              <th scope="col" class="num">
                Answers
              </th>
              <th scope="col">Why</th>
            </tr>
          </thead>
          <tbody>
            {edit.asked.map(({ what, answers, usable, why }) => (
              <tr key={what}>
                <th scope="row">{what}</th>
                <td class="num">{usable === answers ? answers : `${usable} of ${answers}`}</td>
                <td>{why}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}
