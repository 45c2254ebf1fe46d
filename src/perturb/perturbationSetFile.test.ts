import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PerturbationSet, RatedPerturbation } from '../contracts/perturbationSet';
import type { UserError } from '../contracts/userError';
import { formatPerturbationSet, parsePerturbationSet } from './perturbationSetFile';

const one = (more: Partial<RatedPerturbation> = {}): RatedPerturbation => ({
  id: 'surface.double-space',
  kind: 'surface',
  name: 'Double space',
  description: 'Two spaces in place of one.',
  expectation: 'irrelevant',
  text: 'Answer  Yes or No.',
  strength: {
    level: 0,
    source: 'byConstruction',
    ratings: [],
    agreement: null,
    justification: '',
    judged: null,
    declared: 0,
  },
  use: true,
  ...more,
});
const setOf = (perturbations: RatedPerturbation[], more: Partial<PerturbationSet> = {}): PerturbationSet => ({
  version: 1,
  prompt: 'Answer Yes or No.',
  reasoning: null,
  seed: 3,
  writer: null,
  judge: null,
  perturbations,
  rejected: [],
  ...more,
});
const judged: RatedPerturbation = one({
  strength: {
    level: 2,
    source: 'judge',
    ratings: [2, 1, 2],
    agreement: 2 / 3,
    justification: 'It weakens: support is split.',
    judged: null,
    declared: null,
  },
});

describe('a set as YAML', () => {
  it('shows how to edit it, what differs, and reads back', () => {
    const set = setOf([one(), one({ id: 'b', text: 'Reply Yes or No.' })]);
    const yaml = formatPerturbationSet(set);
    expect(yaml).toContain('# To relabel, write 0, 1, 2 or 3 after `relabel`');
    expect(yaml).toContain('# - Answer·Yes·or·No.\n  # + Answer··Yes·or·No.');
    expect(yaml).toContain('# - Answer Yes or No.\n  # + Reply Yes or No.');
    expect(yaml).toMatch(/^ {6}relabel:$/m);
    expect(parsePerturbationSet(yaml)).toEqual(set);
  });

  it('reads back any text as it was', () => {
    const text = fc
      .array(
        fc.oneof(
          fc.string({ unit: 'binary', minLength: 1, maxLength: 6 }),
          fc.constantFrom(
            ' ',
            '\n',
            '\r\n',
            '\t',
            '- a: b',
            '# c',
            '---',
            '"',
            "'",
            '{{x}}',
            '\u001b[2J',
            '\u202e',
            '\ufeff',
            '  ',
          ),
        ),
        { minLength: 1, maxLength: 8 },
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, text, (prompt, changed) => {
        const set = setOf([one({ text: changed, name: changed, description: prompt })], { prompt });
        const yaml = formatPerturbationSet(set);
        expect(parsePerturbationSet(yaml)).toEqual(set);
        // Nothing that a terminal obeys comes out, whatever a model wrote.
        expect(yaml).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
      }),
      { numRuns: 300, seed: 1 },
    );
  });

  it('survives an editor that takes white space off line ends', () => {
    const set = setOf([one({ text: 'Answer Yes or No. \nNow.\t\n' })], {
      prompt: 'Answer Yes or No.\nNow.\n',
    });
    const saved = formatPerturbationSet(set).replace(/[ \t]+$/gm, '');
    expect(parsePerturbationSet(saved)).toEqual(set);
  });
});

describe('what a person wrote', () => {
  const edit = (from: string | RegExp, to: string, perturbation = judged) =>
    parsePerturbationSet(formatPerturbationSet(setOf([perturbation])).replace(from, to)).perturbations[0]!;

  it.each([
    ['a relabel', /relabel:$/m, 'relabel: 3', 3],
    ['a relabel that agrees', /relabel:$/m, 'relabel: 2', 2],
    ['a changed level', 'level: 2', 'level: 1', 1],
  ])('%s is theirs, and the rating of the judge is kept', (_name, from, to, level) => {
    expect(edit(from, to).strength).toMatchObject({ level, source: 'user', judged: 2, ratings: [2, 1, 2] });
  });

  it('a relabelled set can be relabelled again, and keeps what the judge said', () => {
    const first = edit(/relabel:$/m, 'relabel: 3');
    expect(edit(/relabel:$/m, 'relabel: 0', first).strength).toMatchObject({
      level: 0,
      source: 'user',
      judged: 2,
    });
  });

  it('a changed level of a rule is theirs; one that is taken away is unrated, never 0', () => {
    expect(edit('level: 0', 'level: 1', one()).strength).toMatchObject({
      level: 1,
      source: 'user',
      judged: null,
      declared: 0,
    });
    expect(edit('level: 2', 'level:').strength).toMatchObject({ level: null, source: 'unrated' });
  });

  it('an added text needs an id and a text', () => {
    const yaml = `${formatPerturbationSet(setOf([one()]))}`.replace(
      'rejected:',
      '  - id: mine\n    text: Say Yes or No.\n    strength: 2\n  - id: mine2\n    text: Yes or No?\nrejected:',
    );
    const [, mine, other] = parsePerturbationSet(yaml).perturbations;
    expect(mine).toMatchObject({
      kind: 'custom',
      name: 'mine',
      use: true,
      strength: { level: 2, source: 'user' },
    });
    expect(other!.strength).toMatchObject({ level: null, source: 'unrated' });
  });

  it('use: false stays in the file', () => {
    expect(edit('use: true', 'use: false').use).toBe(false);
  });
});

describe('a file that is not right says where and what', () => {
  const yaml = formatPerturbationSet(setOf([judged]));
  const lineOf = (words: string | RegExp) =>
    yaml
      .split('\n')
      .findIndex((line) => (typeof words === 'string' ? line.includes(words) : words.test(line))) + 1;
  const messageOf = (text: string): string => {
    try {
      parsePerturbationSet(text);
    } catch (error) {
      expect((error as UserError).code).toBe('invalidFile');
      return (error as Error).message;
    }
    return 'was read';
  };

  it.each([
    [
      'a misspelt key',
      'relabel:',
      'relable: 1',
      'relabel:',
      "strength: there is no key 'relable'; the nearest is 'relabel'",
    ],
    [
      'a misspelt key above',
      'use: true',
      'uses: true',
      'use: true',
      "there is no key 'uses'; the nearest is 'use'",
    ],
    [
      'a misspelt key of the set',
      /^judge:/m,
      'jugde:',
      /^judge:/,
      "there is no key 'jugde'; the nearest is 'judge'",
    ],
    ['a level off the scale', 'level: 2', 'level: 4', 'level: 2', 'perturbations[0].strength.level'],
    ['a level in words', 'level: 2', 'level: strong', 'level: 2', 'expected number'],
    ['an unknown kind', 'kind: surface', 'kind: surfaces', 'kind: surface', 'must be surface, rewording'],
    ['another version', 'version: 1', 'version: 2', 'version: 1', 'version: must be 1'],
    ['a missing seed', /^seed: 3$/m, '', 'version: 1', 'seed: is missing'],
    ['no text', /text: .*/, 'text: ""', 'text: ', 'perturbations[0].text'],
  ])('%s', (_name, from, to, at, words) => {
    const message = messageOf(yaml.replace(from, to));
    expect(message).toContain(words);
    expect(message).toContain(`line ${lineOf(at)}, column`);
  });

  it('the same id twice', () => {
    const twice = formatPerturbationSet(setOf([one(), judged]));
    expect(messageOf(twice)).toMatch(/line \d+, column \d+: there are two perturbations with the id/);
  });

  it.each([
    ['', /line 1, column 1/],
    ['- a', /line 1, column 1/],
    ['a: [1', /line 1, column \d+: this is not YAML/],
    ['version: 1\n\tprompt: x', /line 2, column 1: this is not YAML/],
    [
      'a: &a [1,1]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c]',
      /alias/i,
    ],
  ])('%j', (text, words) => {
    expect(messageOf(text)).toMatch(words);
  });
});
