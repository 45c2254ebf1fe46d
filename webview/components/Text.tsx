import { useState } from 'preact/hooks';
import type { DiffHunk, DiffPart, TextRun, VisibleText } from '../../src/contracts/reportView';

/** Text of a model or a prompt, as text nodes only; stand-ins of invisible characters are marked. */
export function Runs({ runs }: { runs: readonly TextRun[] }) {
  return (
    <>
      {runs.map((run, i) =>
        run.mark === undefined ? (
          run.text
        ) : (
          <span class="invisible" title={run.mark} key={i}>
            {run.text}
          </span>
        ),
      )}
    </>
  );
}

/** The first `chars` characters of some runs. */
function clip(runs: readonly TextRun[], chars: number): { runs: TextRun[]; clipped: boolean } {
  const kept: TextRun[] = [];
  let left = chars;
  for (const run of runs) {
    if (left <= 0) return { runs: kept, clipped: true };
    if (run.text.length > left) {
      kept.push({ ...run, text: [...run.text.slice(0, left)].join('') });
      return { runs: kept, clipped: true };
    }
    kept.push(run);
    left -= run.text.length;
  }
  return { runs: kept, clipped: false };
}

/** A text that may be long: the beginning, the rest on request, and what the report does not carry is counted. */
export function LongText({ text, chars = 600 }: { text: VisibleText; chars?: number }) {
  const [whole, setWhole] = useState(false);
  const short = clip(text.runs, chars);
  const shown = whole ? text.runs : short.runs;
  if (text.runs.length === 0) return <em class="quiet">nothing</em>;
  return (
    <>
      <bdi class="raw">
        <Runs runs={shown} />
        {short.clipped && !whole && '…'}
      </bdi>
      {short.clipped && (
        <button type="button" class="link" aria-expanded={whole} onClick={() => setWhole(!whole)}>
          {whole ? 'Show less' : 'Show more'}
        </button>
      )}
      {text.hiddenChars > 0 && (whole || !short.clipped) && (
        <span class="quiet">
          {text.hiddenChars.toLocaleString('en')} more characters are in the JSON export.
        </span>
      )}
    </>
  );
}

const said = { added: 'added: ', removed: 'removed: ', same: '' };

function Part({ part }: { part: DiffPart }) {
  const runs = <Runs runs={part.runs} />;
  if (part.op === 'same') return <span>{runs}</span>;
  const Tag = part.op === 'added' ? 'ins' : 'del';
  return (
    <Tag>
      <span class="only-heard">{said[part.op]}</span>
      {runs}
    </Tag>
  );
}

/** Word diffs of the places that a perturbation edits. */
export function Diff({ hunks }: { hunks: readonly DiffHunk[] }) {
  return (
    <div class="diff">
      {hunks.map((hunk, h) => (
        <p key={h}>
          {hunk.elidedBefore && <span class="quiet">… </span>}
          {hunk.parts.map((part, i) => (
            <Part part={part} key={i} />
          ))}
          {hunk.elidedAfter && <span class="quiet"> …</span>}
        </p>
      ))}
    </div>
  );
}

const CHARS_BEFORE = 16;

/** The first edit on one line, with so little before it that the edit itself is always in sight. */
export function DiffLine({ hunks }: { hunks: readonly DiffHunk[] }) {
  const [hunk] = hunks;
  if (!hunk) return null;
  const firstEdit = hunk.parts.findIndex(({ op }) => op !== 'same');
  const before = hunk.parts.slice(0, firstEdit).flatMap(({ runs }) => runs);
  const lead = oneLine(before.map(({ text }) => text).join(''));
  const tail = lead.slice(-CHARS_BEFORE).replace(/^\S*\s/, '');
  return (
    <div class="diff diff-line">
      <span class="quiet">
        {(hunk.elidedBefore || tail.length < lead.length) && '…'}
        {tail}
      </span>
      {hunk.parts.slice(firstEdit).map((part, i) => (
        <Part
          part={{ ...part, runs: part.runs.map((run) => ({ ...run, text: oneLine(run.text) })) }}
          key={i}
        />
      ))}
      {hunks.length > 1 && <span class="quiet"> (and {hunks.length - 1} more)</span>}
    </div>
  );
}

/** Line breaks become a sign; a run that is one already only loses its own break. */
const oneLine = (text: string) => text.replace(/⏎\n/g, '⏎').replace(/\s*\n\s*/g, ' ⏎ ');
