import type { ComponentChildren } from 'preact';
import type { GlossaryEntry } from '../../src/contracts/reportView';
import { screen, setOpen } from '../state';
import { Section } from './Section';

/** A word of the report that the glossary explains: hover tells, click goes there. */
export function Term({ id, children }: { id: string; children: ComponentChildren }) {
  const now = screen.value;
  const entry = now.kind === 'report' ? now.view.glossary.find((each) => each.id === id) : undefined;
  if (!entry) return <>{children}</>;
  const go = (event: Event) => {
    event.preventDefault();
    setOpen('glossary', true);
    requestAnimationFrame(() => document.getElementById(`term-${id}`)?.focus());
  };
  return (
    <a class="term" href={`#term-${id}`} title={entry.meaning} onClick={go}>
      {children}
    </a>
  );
}

export function Glossary({ entries }: { entries: readonly GlossaryEntry[] }) {
  return (
    <Section id="glossary" title="What the words mean" closed>
      <dl class="glossary">
        {entries.map((entry) => (
          <div key={entry.id} id={`term-${entry.id}`} tabIndex={-1}>
            <dt>{entry.term}</dt>
            <dd>
              {entry.meaning}
              {entry.formula && <code class="formula">{entry.formula}</code>}
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}
