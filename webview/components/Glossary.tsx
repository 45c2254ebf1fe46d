import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';
import type { GlossaryEntry } from '../../src/contracts/reportView';
import { screen, setOpen } from '../state';
import { Section } from './Section';

/** A word of the report that the glossary explains: opens a short explanation with its formula. */
export function Term({ id, children }: { id: string; children: ComponentChildren }) {
  const card = useRef<HTMLDivElement>(null);
  const name = useId();
  const now = screen.value;
  const entry = now.kind === 'report' ? now.view.glossary.find((each) => each.id === id) : undefined;
  if (!entry) return <>{children}</>;
  const place = (event: { newState: string }) => {
    if (event.newState === 'open' && card.current) putBeside(card.current);
  };
  const more = () => {
    card.current?.hidePopover();
    setOpen('glossary', true);
    requestAnimationFrame(() => document.getElementById(`term-${id}`)?.focus());
  };
  return (
    <>
      <button type="button" class="term" id={`${name}-opener`} popovertarget={name} title={entry.meaning}>
        {children}
      </button>
      <div
        ref={card}
        id={name}
        class="term-card"
        popover="auto"
        role="dialog"
        aria-label={entry.term}
        onToggle={place}
      >
        <p class="term-name">{entry.term}</p>
        <p>{entry.meaning}</p>
        {entry.formula && <code class="formula">{entry.formula}</code>}
        <button type="button" class="link" onClick={more}>
          All terms
        </button>
      </div>
    </>
  );
}

const GAP_PX = 6;

/** Below the word, or above where there is no room. Set by script: the policy allows that, and no inline styles. */
function putBeside(card: HTMLElement): void {
  const opener = document.getElementById(`${card.id}-opener`)?.getBoundingClientRect();
  if (!opener) return;
  const { width, height } = card.getBoundingClientRect();
  const left = Math.max(GAP_PX, Math.min(opener.left, window.innerWidth - width - GAP_PX));
  const below = opener.bottom + GAP_PX;
  const top = below + height > window.innerHeight ? Math.max(GAP_PX, opener.top - height - GAP_PX) : below;
  card.style.left = `${left}px`;
  card.style.top = `${top}px`;
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
