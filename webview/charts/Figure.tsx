import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { toCsv } from '../../src/contracts/csv';
import { attempt, bridge } from '../state';
import { copyPng } from './copyPng';
import { svgText } from './svgText';
import { useWidth } from './useWidth';

export const chartHeightPx = 168;
export const margin = { top: 10, right: 12, bottom: 36, left: 40 };

/** A chart with a title that says what to read from it, a sentence for screen readers, and its numbers as a table. */
export function Figure(props: {
  /** Names the chart in buttons and files: `Forest plot`. */
  name: string;
  title: ComponentChildren;
  /** What the picture shows, for those who do not see it. */
  spoken: string;
  legend?: ComponentChildren;
  numbers: { head: string[]; rows: string[][] };
  heightPx?: number;
  /** Wider than this no picture gets better. */
  maxWidthPx?: number;
  draw: (widthPx: number) => ComponentChildren;
}) {
  const { name, heightPx = chartHeightPx, numbers } = props;
  const [ref, boxPx] = useWidth<HTMLDivElement>();
  const widthPx = Math.min(boxPx, props.maxWidthPx ?? Number.POSITIVE_INFINITY);
  const picture = useRef<SVGSVGElement>(null);
  return (
    <figure class="chart" data-chart={name}>
      <figcaption>{props.title}</figcaption>
      {props.legend}
      <div ref={ref} class="chart-box">
        <svg ref={picture} width={widthPx} height={heightPx} role="img" aria-label={props.spoken}>
          {props.draw(widthPx)}
        </svg>
      </div>
      <div class="chart-tools">
        <details class="numbers">
          <summary>Numbers</summary>
          <div class="scroll-x" tabIndex={0} role="region" aria-label={`Numbers: ${name}`}>
            <NumbersTable {...numbers} />
          </div>
        </details>
        <span class="copy-tools" role="group" aria-label={`Copy: ${name}`}>
          <span aria-hidden="true">Copy</span>
          <button
            type="button"
            class="link"
            aria-label={`Copy as SVG: ${name}`}
            onClick={() => picture.current && copyText(svgText(picture.current, props.spoken), 'The picture')}
          >
            SVG
          </button>
          <button
            type="button"
            class="link"
            aria-label={`Copy as PNG: ${name}`}
            onClick={() =>
              picture.current &&
              void attempt(copyPng(picture.current), () => 'The picture is on the clipboard.')
            }
          >
            PNG
          </button>
          <button
            type="button"
            class="link"
            aria-label={`Copy as CSV: ${name}`}
            onClick={() => copyText(toCsv([numbers.head, ...numbers.rows]), 'The table')}
          >
            CSV
          </button>
        </span>
      </div>
    </figure>
  );
}

function copyText(text: string, what: string) {
  void attempt(bridge.request('copy', { text }), () => `${what} is on the clipboard.`);
}

function NumbersTable({ head, rows }: { head: string[]; rows: string[][] }) {
  return (
    <table>
      <thead>
        <tr>
          {head.map((name) => (
            <th scope="col" key={name}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, r) => (
          <tr key={r}>
            {row.map((value, c) =>
              c === 0 ? (
                <th scope="row" key={c}>
                  {value}
                </th>
              ) : (
                <td key={c}>{value}</td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
