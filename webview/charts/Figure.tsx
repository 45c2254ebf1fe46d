import type { ComponentChildren } from 'preact';
import { useWidth } from './useWidth';

export const chartHeightPx = 168;
export const margin = { top: 10, right: 12, bottom: 36, left: 40 };

/** A chart with a title that says what to read from it, a sentence for screen readers, and its numbers as a table. */
export function Figure(props: {
  title: ComponentChildren;
  /** What the picture shows, for those who do not see it. */
  spoken: string;
  legend?: ComponentChildren;
  numbers: { head: string[]; rows: string[][] };
  draw: (widthPx: number) => ComponentChildren;
}) {
  const [ref, widthPx] = useWidth<HTMLDivElement>();
  return (
    <figure class="chart">
      <figcaption>{props.title}</figcaption>
      {props.legend}
      <div ref={ref} class="chart-box">
        <svg width={widthPx} height={chartHeightPx} role="img" aria-label={props.spoken}>
          {props.draw(widthPx)}
        </svg>
      </div>
      <details class="numbers">
        <summary>Numbers</summary>
        <table>
          <thead>
            <tr>
              {props.numbers.head.map((name) => (
                <th scope="col" key={name}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {props.numbers.rows.map((row, r) => (
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
      </details>
    </figure>
  );
}
