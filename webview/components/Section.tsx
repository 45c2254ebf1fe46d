import type { ComponentChildren } from 'preact';
import { openSections, setOpen } from '../state';

/** A section with a heading; `closed` ones open on request, and stay open through a reload. */
export function Section(props: { id: string; title: string; closed?: boolean; children: ComponentChildren }) {
  const { id, title, closed = false, children } = props;
  if (!closed) {
    return (
      <section class="section" aria-labelledby={`${id}-title`}>
        <h2 id={`${id}-title`}>{title}</h2>
        {children}
      </section>
    );
  }
  return <Disclosure id={id} summary={<h2>{title}</h2>} class="section" children={children} />;
}

export function Disclosure(props: {
  id: string;
  summary: ComponentChildren;
  class?: string;
  children: ComponentChildren;
}) {
  const { id, summary, children } = props;
  return (
    <details
      id={id}
      class={props.class}
      open={openSections.value.has(id)}
      onToggle={(event) => setOpen(id, event.currentTarget.open)}
    >
      <summary>{summary}</summary>
      {children}
    </details>
  );
}
