import type { FlipsView } from '../../src/contracts/flipsView';
import { FlipRates } from '../charts/FlipRates';
import { Section } from './Section';
import { Reproduce, ScrollTable, SheetHead } from './SheetHead';

/** How easily answers flip, by the strength of the change. Changes of the prompt and of the reasoning stay apart. */
export function FlipsSheet({ view }: { view: FlipsView }) {
  const reproduce = view.facts.find(({ name }) => name === 'To repeat it')?.value;
  return (
    <>
      <SheetHead
        state={view.state}
        title={view.title}
        word="Flip rates"
        sentence={view.panels.map(({ headline }) => headline).join(' ')}
        facts={view.facts
          .filter(({ name }) => name !== 'To repeat it')
          .map(({ name, value }) => ({ label: name, value }))}
        notes={view.notes}
      />
      {view.panels.map((panel, i) => (
        <Section key={panel.heading} id={`flips-${i}`} title={panel.heading}>
          <FlipRates panel={panel} />
          <ul class="plain-list">
            {panel.sentences.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
            <li>By kind: {panel.kinds.map(({ kind, flipped }) => `${kind} ${flipped}`).join(', ')}.</li>
          </ul>
          {panel.flipped.length > 0 && (
            <>
              <h3>Changes that flipped the answer</h3>
              <ScrollTable label={`Flipped: ${panel.heading}`}>
                <thead>
                  <tr>
                    {['Change', 'Strength', 'Before', 'After'].map((name) => (
                      <th scope="col" key={name}>
                        {name}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {panel.flipped.map((one, at) => (
                    <tr key={at}>
                      <th scope="row">{one.change}</th>
                      <td>{one.strength}</td>
                      <td>{one.before}</td>
                      <td>{one.after}</td>
                    </tr>
                  ))}
                </tbody>
              </ScrollTable>
            </>
          )}
          {panel.more && <p class="quiet">{panel.more}</p>}
        </Section>
      ))}
      <Section id="read" title="How to read this">
        <p>{view.explained}</p>
        {reproduce && <Reproduce command={reproduce} />}
      </Section>
    </>
  );
}
