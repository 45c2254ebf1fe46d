import type { CompareView } from '../../src/contracts/compareView';
import { ModelMatrix } from '../charts/ModelMatrix';
import { MovementPlot } from '../charts/MovementPlot';
import { Section } from './Section';
import { Reproduce, ScrollTable, SheetHead } from './SheetHead';

/** Which of several models is steadier. */
export function CompareSheet({ view }: { view: CompareView }) {
  const { headline } = view;
  return (
    <>
      <SheetHead
        state={headline.state}
        title={view.title}
        word={headline.word}
        sentence={headline.sentence.slice(headline.word.length + 2)}
        facts={view.facts}
        notes={view.notes}
      />
      <Section id="models" title="The models">
        <ScrollTable label="Figures of the models">
          <thead>
            <tr>
              <th scope="col">Model</th>
              <th scope="col" class="num">
                Movement
              </th>
              <th scope="col" class="num">
                95% CI
              </th>
              <th scope="col">Changes that moved it</th>
              <th scope="col">Speed</th>
              <th scope="col">Answers</th>
            </tr>
          </thead>
          <tbody>
            {view.models.map((model) => (
              <tr key={model.detail} data-model={model.name}>
                <th scope="row">
                  {model.name}
                  <span class="quiet below">{model.problem ?? model.detail}</span>
                </th>
                <td class="num" data-field="movement">
                  {model.movement?.text ?? '–'}
                </td>
                <td class="num" data-field="interval">
                  {model.movement?.intervalText ?? ''}
                </td>
                <td>{model.movedText}</td>
                <td>{model.speedText}</td>
                <td>{model.answersText}</td>
              </tr>
            ))}
          </tbody>
        </ScrollTable>
        <div class="charts">
          <MovementPlot view={view} />
          {view.matrix.length > 0 && <ModelMatrix view={view} />}
        </div>
      </Section>
      {view.pairs.length > 0 && (
        <Section id="pairs" title="Two at a time">
          {view.pairs.map((pair) => (
            <div key={pair.name}>
              <h3>{pair.name}</h3>
              <ul class="plain-list">
                {[pair.steadier, pair.discordant, pair.behaviour].map(
                  (sentence) => sentence && <li key={sentence}>{sentence}</li>,
                )}
              </ul>
            </div>
          ))}
        </Section>
      )}
      <Section id="items" title="Every change" closed>
        <p class="lead">Effect of each change on each model; ◆ marks those that moved its answers.</p>
        <ScrollTable label="Effect of every change">
          <thead>
            <tr>
              <th scope="col">Change</th>
              {view.models.map(({ name }) => (
                <th scope="col" class="num" key={name}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {view.items.map(({ prompt, name, cells }, i) => (
              <tr key={i}>
                <th scope="row">{prompt === null ? name : `${prompt}: ${name}`}</th>
                {cells.map((cell, c) => (
                  <td class="num" key={c}>
                    {cell === null ? '–' : `${cell.moved ? '◆ ' : ''}${cell.text}`}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </ScrollTable>
      </Section>
      <Section id="read" title="How to read this">
        <ul class="plain-list">
          {view.explained.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
        <Reproduce command={view.reproduce} />
      </Section>
    </>
  );
}
