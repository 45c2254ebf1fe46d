/** Python's literals against what real Python made of them (test/discovery/makePythonCorpus.py). */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { discoverIn, snapped } from '../../../test/discovery/discoverIn';
import { toDocumentSpans } from '../discover';

const corpus = JSON.parse(
  readFileSync(new URL('../../../test/discovery/pythonCorpus.json', import.meta.url), 'utf8'),
) as { cases: { name: string; source: string; text: string }[]; escapes: Record<string, string> };

/** What a part of the source that is no plain text stands for, without the code under test. */
function meaning(source: string): string | undefined {
  if (/^\r\n?$/.test(source)) return '\n';
  if (source === '%%') return '%';
  if (source === '{{' || source === '}}') return source[0];
  return corpus.escapes[source];
}

describe('literals of Python', () => {
  it('are a hundred or so', () => expect(corpus.cases.length).toBeGreaterThan(90));

  for (const { name, source, text } of corpus.cases) {
    it(name, () => {
      const before = '# a comment 😀\nimport re\n\n';
      const document = `${before}SYSTEM_PROMPT = ${source}\n\nother = 1\n`;
      const [found, ...more] = discoverIn('a.py', document);
      expect(more).toEqual([]);
      expect(found?.text).toBe(text);
      const prompt = found!;
      expect(document.slice(prompt.span.start, prompt.span.end)).toBe(source);
      const holes = prompt.variables.flatMap(({ spans }) => spans);
      for (const { start, end, source: at, verbatim } of prompt.sourceMap) {
        const part = document.slice(at.start, at.end);
        if (verbatim) expect(part).toBe(text.slice(start, end));
        else if (!holes.some((hole) => hole.start < end && hole.end > start)) {
          expect([part, meaning(part)]).toEqual([part, text.slice(start, end)]);
        }
      }
      fc.assert(
        fc.property(fc.nat(text.length), fc.nat(text.length), (a, b) => {
          const span = snapped(prompt, Math.min(a, b), Math.max(a, b));
          const spans = toDocumentSpans(prompt, span);
          expect(spans.length).toBeGreaterThan(0);
          for (const { start, end } of spans) {
            expect(start).toBeGreaterThanOrEqual(before.length);
            expect(end).toBeLessThanOrEqual(prompt.span.end);
          }
          // Words have no escapes: they are in the source as they are in the text.
          const words = text.slice(span.start, span.end).match(/[A-Za-z]{3,}/g) ?? [];
          const there = spans.map(({ start, end }) => document.slice(start, end)).join('');
          let at = 0;
          for (const word of words) {
            at = there.indexOf(word, at);
            if (at < 0 && !holes.some((hole) => hole.start < span.end && hole.end > span.start)) {
              expect.fail(`${word} is not in ${there}`);
            }
            at = Math.max(0, at);
          }
        }),
        { numRuns: 40, seed: 7 },
      );
    });
  }
});
