import type { FlipsPanel, FlipsView } from '../../src/contracts/flipsView';
import type { GlossaryEntry } from '../../src/contracts/reportView';
import { FlipRates } from '../charts/FlipRates';
import { Glossary } from './Glossary';
import { Section } from './Section';

/** A flips run: how easily answers flip, strength by strength, and which changes did it. */
export function FlipsReport({ view, glossary }: { view: FlipsView; glossary: readonly GlossaryEntry[] }) {
  return (
    <>
      <header class="card card-undecided">
        <div class="card-body">
          <p class="eyebrow">{view.title}</p>
          <h1>Flip rates</h1>
          {view.panels.map(({ headline }) => (
            <p class="sentence" key={headline}>
              {headline}
            </p>
          ))}
          <p class="hint">{view.explained}</p>
        </div>
      </header>
      {view.notes.length > 0 && (
        <ul class="warnings" aria-label="Notes">
          {view.notes.map((note) => (
            <li key={note}>
              <span>{note}</span>
            </li>
          ))}
        </ul>
      )}
      {view.panels.map((panel, i) => (
        <Section id={`flips-${i}`} title={panel.heading} key={panel.heading}>
          <div class="charts">
            <FlipRates panel={panel} />
          </div>
          <ul class="plain-list">
            {panel.sentences.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
            <li>By kind: {panel.kinds.map(({ kind, flipped }) => `${kind} ${flipped}`).join(', ')}.</li>
          </ul>
          <Flipped panel={panel} />
        </Section>
      ))}
      <Section id="flips-facts" title="How was this measured?">
        <dl class="method">
          {view.facts.map(({ name, value }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </Section>
      <Glossary entries={glossary} />
    </>
  );
}

function Flipped({ panel }: { panel: FlipsPanel }) {
  if (panel.flipped.length === 0) return <p class="quiet">No change flipped the answer.</p>;
  return (
    <>
      <h3>What flipped it, the weakest change first</h3>
      <div class="scroll-x" tabIndex={0} role="region" aria-label={`What flipped it: ${panel.heading}`}>
        <table class="flipped">
          <thead>
            <tr>
              <th scope="col">Change</th>
              <th scope="col">Strength</th>
              <th scope="col">Before</th>
              <th scope="col">After</th>
            </tr>
          </thead>
          <tbody>
            {panel.flipped.map(({ change, strength, before, after }) => (
              <tr key={change}>
                <th scope="row">{change}</th>
                <td>{strength}</td>
                <td>
                  <bdi>{before}</bdi>
                </td>
                <td>
                  <bdi>{after}</bdi>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {panel.more && <p class="quiet">{panel.more}</p>}
    </>
  );
}
