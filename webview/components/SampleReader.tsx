import { diffWordsWithSpace } from 'diff';
import { plainOf } from '../../src/contracts/sampleQuery';
import type { DiffPart, SampleView } from '../../src/contracts/reportView';
import { Diff, LongText } from './Text';

/** Longer texts are compared by their beginning: a word diff of them would be slow and unreadable. */
const MAX_DIFFED_CHARS = 4_000;

/** One answer in full, or two side by side with what differs. */
export function SampleReader(props: {
  picked: readonly SampleView[];
  nameOf: (sample: SampleView) => string;
}) {
  const { picked, nameOf } = props;
  const [first, second] = picked;
  if (!first)
    return <p class="quiet">Choose an answer to read it in full, or two to compare them word by word.</p>;
  return (
    <div class="reader" aria-live="polite">
      <div class="reader-pair">
        {picked.map((sample) => (
          <article key={`${sample.conditionId} ${sample.index}`} class="sample">
            <p class="quiet">
              {nameOf(sample)} · {sample.detail}
            </p>
            <LongText text={sample.text} chars={2_000} />
            {sample.thinking && (
              <details class="thinking">
                <summary>Thinking</summary>
                <LongText text={sample.thinking} />
              </details>
            )}
          </article>
        ))}
      </div>
      {second && <WordDiff before={first} after={second} names={[nameOf(first), nameOf(second)]} />}
    </div>
  );
}

/** Both texts come with their dangerous characters made visible, and so does what differs. */
function WordDiff(props: { before: SampleView; after: SampleView; names: [string, string] }) {
  const [before, after] = [props.before, props.after].map((sample) =>
    plainOf(sample.text).slice(0, MAX_DIFFED_CHARS),
  );
  if (before === after) return <p class="quiet">Both are the same text.</p>;
  const parts = diffWordsWithSpace(before!, after!).map(({ value, added, removed }): DiffPart => ({
    op: added ? 'added' : removed ? 'removed' : 'same',
    runs: [{ text: value }],
  }));
  return (
    <div>
      <h3>
        Word by word: from {props.names[0]} to {props.names[1]}
      </h3>
      <div class="prompt-text">
        <Diff hunks={[{ elidedBefore: false, elidedAfter: false, parts }]} />
      </div>
    </div>
  );
}
