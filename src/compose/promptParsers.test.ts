import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsers } from '../../test/discovery/discoverIn';
import { discoverPrompts } from '../prompts/discover';
import { editBetween } from './promptParsers';

const SOURCE = [
  `const systemPrompt = 'You are 😀 kind.\\n';`,
  'const userPrompt = `Answer ${question}, please,\n  in one line.`;',
  `f([{ role: 'user', content: "Is it " + colour + '?' }]);`,
].join('\n');

describe('parsers of a document', () => {
  it('find after any edits what a fresh parse finds', () => {
    const edit = fc.record({
      at: fc.nat(SOURCE.length),
      removed: fc.nat(12),
      typed: fc.oneof(
        fc.constantFrom('`', "'", '\n', '${', '}', '\\', '\r\n', '😀', '// evenkeel: prompt\n'),
        fc.string(),
      ),
    });
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 6 }), (edits) => {
        const ofDocument = parsers.ofDocument('edited.ts');
        let text = SOURCE;
        for (const { at, removed, typed } of edits) {
          text = text.slice(0, at) + typed + text.slice(at + removed);
          const find = (from: typeof ofDocument) =>
            discoverPrompts({ path: 'edited.ts', text, parsers: from });
          expect(find(ofDocument)).toEqual(find(parsers.once));
        }
      }),
      { numRuns: 60, seed: 11 },
    );
    parsers.forget('edited.ts');
  });

  it('are told the smallest edit, with rows and columns', () => {
    expect(editBetween('a\nbc\nd', 'a\nbXX\nYc\nd')).toEqual({
      startIndex: 3,
      oldEndIndex: 3,
      newEndIndex: 7,
      startPosition: { row: 1, column: 1 },
      oldEndPosition: { row: 1, column: 1 },
      newEndPosition: { row: 2, column: 1 },
    });
    expect(editBetween('aaa', 'aa')).toMatchObject({ startIndex: 2, oldEndIndex: 3, newEndIndex: 2 });
    expect(editBetween('same', 'same')).toMatchObject({ startIndex: 4, oldEndIndex: 4, newEndIndex: 4 });
  });
});
