import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { perturbationSchema } from '../contracts/runRecord';
import { applyEdits, exactDifference, hullOf } from '../prompts/applyEdits';
import { protectedSpans } from '../prompts/protectedSpans';
import { splitSentences } from '../prompts/sentences';
import { createRng } from '../stats/rng';
import { catalogue } from './catalogue';
import { generatePerturbations } from './generate';

const ALL_KINDS = [...new Set(catalogue.map(({ kind }) => kind))];
const everything = (text: string, seed = 1) =>
  generatePerturbations(text, {
    rng: createRng(seed),
    kinds: ALL_KINDS,
    limit: 1_000,
    includeMeaningful: true,
  });
const defaults = (text: string, seed = 1) => generatePerturbations(text, { rng: createRng(seed) });

const fragment = fc.oneof(
  fc.constantFrom(
    'Classify the sentiment of the following review as positive, negative or neutral.',
    'Do not use more than 3 sentences, e.g. for long texts.',
    'You are a careful editor and you are brief.',
    'Please answer the question “Why?” in one word.',
    'Is Paris the capital of France? Answer Yes or No.',
    'Which planet is the largest, and why? The pond is 3.5 miles away, in 1984, with a few red dogs.',
    'I count at most twenty words; a correct answer, however, is not always possible.',
    '- Be brief\n- Use plain words\n* Avoid jargon',
    '1. Read the text\n2. Answer the question',
    '# Heading with words\n',
    '```python\nprint("do not touch")\n```',
    'Run `npm test` and open https://example.com/a?b=c. Or write to me@example.com.',
    'Return {"label": "positive", "score": 1} and **nothing** else.',
    '<context>{{ document }}</context>',
    'Use {tone} and ${input:style} here.',
    'Q: Why is the sky blue?\nA: Because of "Rayleigh" scattering.\n###',
    '| a | b |\n|---|---|\n| do not | is not |',
    '请回答以下问题：巴黎是法国的首都吗？请用“是”或“否”回答。',
    'هل باريس عاصمة فرنسا؟ أجب بنعم أو لا.',
    '👩‍👩‍👧 is a family 🙂. 𝒜𝓃𝓈𝓌𝑒𝓇 it.',
    'Cafe\u0301 naïve façade, isn’t it?',
    '\r\nLine with CRLF\r\nand another.\r\n',
  ),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
);
const prompts = fc
  .array(fc.tuple(fragment, fc.constantFrom(' ', '\n', '\n\n', '')), { minLength: 1, maxLength: 7 })
  .map((parts) => parts.map(([text, gap]) => text + gap).join(''));

const unpaired = (text: string) =>
  text.match(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g)?.length ?? 0;

describe('every perturbation of any prompt', () => {
  it('says exactly what it changed', () => {
    fc.assert(
      fc.property(prompts, fc.nat(), (text, seed) => {
        for (const perturbation of everything(text, seed).perturbations) {
          expect(perturbationSchema.safeParse(perturbation).success).toBe(true);
          expect(applyEdits(text, perturbation.edits)).toBe(perturbation.text);
          expect(hullOf(perturbation.edits)).toEqual(perturbation.span);
          const { start, end } = exactDifference(text, perturbation.text)!;
          expect({ id: perturbation.id, start, end }).toEqual({ id: perturbation.id, ...perturbation.span });
        }
      }),
      { numRuns: 300 },
    );
  });

  it('leaves the protected parts as they are and stays inside its sentence', () => {
    fc.assert(
      fc.property(prompts, fc.nat(), (text, seed) => {
        const guard = protectedSpans(text);
        const sentences = splitSentences(text);
        for (const { id, edits, sentence, span } of everything(text, seed).perturbations) {
          for (const edit of edits) {
            const touched = guard.filter((part) => part.start < edit.end && edit.start < part.end);
            expect({ id, touched }).toEqual({ id, touched: [] });
          }
          if (id.includes('@')) {
            const { start, end } = sentences[Number(id.split('@')[1])]!;
            expect(sentence).toEqual({ start, end });
            expect(span.start >= start && span.end <= end).toBe(true);
          }
        }
      }),
      { numRuns: 200 },
    );
  });

  it('is its own text, with no surrogate pair cut', () => {
    fc.assert(
      fc.property(prompts, fc.nat(), (text, seed) => {
        const texts = everything(text, seed).perturbations.map((perturbation) => perturbation.text);
        expect(new Set([text, ...texts]).size).toBe(texts.length + 1);
        for (const changed of texts) expect(unpaired(changed)).toBeLessThanOrEqual(unpaired(text));
      }),
      { numRuns: 200 },
    );
  });

  it('comes again with the same seed', () => {
    fc.assert(
      fc.property(prompts, fc.nat(), (text, seed) => {
        expect(defaults(text, seed)).toEqual(defaults(text, seed));
      }),
      { numRuns: 100 },
    );
  });
});

describe('the default selection', () => {
  const prose = [
    'Is Paris the capital of France? Answer Yes or No.',
    'Translate the following sentence into French.',
    'Summarize the text in one sentence.\n\nText: {{text}}',
    'You are a pirate. Tell me a joke.',
    'Classify the ticket as billing, bug or other.\nReply with one word.\n\nTicket: {ticket}',
    'Fasse den folgenden Text in einem Satz zusammen.',
    '请把下面的句子翻译成英文。请只返回译文。',
    'لخص النص التالي في جملة واحدة. لا تشرح.',
  ];
  it.each(prose)('has at least eight for %j, all irrelevant', (text) => {
    const { perturbations } = defaults(text);
    expect(perturbations.length).toBeGreaterThanOrEqual(8);
    expect(perturbations.length).toBeLessThanOrEqual(10);
    expect(perturbations.every(({ expectation }) => expectation === 'irrelevant')).toBe(true);
  });

  it('mixes kinds and gives each sentence a perturbation confined to it', () => {
    const text =
      'You get a ticket. Do not guess. Answer with one word.\n\n- Be polite to the customer\n- Use plain words';
    const { perturbations } = defaults(text);
    for (const { start, end } of splitSentences(text)) {
      const confined = perturbations.filter(
        ({ sentence }) => sentence?.start === start && sentence.end === end,
      );
      expect(confined.length).toBeGreaterThanOrEqual(1);
    }
    expect(new Set(perturbations.map(({ kind }) => kind))).toEqual(
      new Set(['surface', 'persona', 'rewording']),
    );
  });

  it('spreads over a long prompt from its first to its last sentence', () => {
    const text = Array.from(
      { length: 40 },
      (_, i) => `Use the rule number ${i} when you write the answer.`,
    ).join('\n');
    const touched = defaults(text)
      .perturbations.map(({ id }) => id.split('@')[1])
      .filter((index) => index !== undefined)
      .map(Number);
    expect(touched).toEqual([0, 8, 16, 23, 31, 39]);
  });

  it('keeps to the limit, the kinds and the number for each sentence', () => {
    const text = 'Answer the question with one word. Do not explain the answer.';
    for (const limit of [0, 1, 3, 7]) {
      expect(generatePerturbations(text, { rng: createRng(1), limit }).perturbations).toHaveLength(limit);
    }
    const rewordings = generatePerturbations(text, { rng: createRng(1), kinds: ['rewording'] }).perturbations;
    expect(rewordings.map(({ kind }) => kind)).toContain('rewording');
    expect(rewordings.every(({ kind }) => kind === 'rewording')).toBe(true);
    const two = generatePerturbations(text, { rng: createRng(1), limit: 5, perSentence: 2 }).perturbations;
    expect(two.filter(({ id }) => id.endsWith('@0')).length).toBeGreaterThanOrEqual(2);
  });

  it('adds the personas of the paper only on request, as meaningful', () => {
    const personas = everything('Is the following symptom dangerous? Answer Yes or No.').perturbations.filter(
      ({ kind }) => kind === 'persona',
    );
    expect(personas).toHaveLength(10);
    expect(
      personas
        .filter(({ expectation }) => expectation === 'meaningful')
        .map(({ text }) => text.split('\n')[0]),
    ).toEqual([
      'Act as a doctor.',
      'Act as a nurse.',
      'Act as a medical practitioner.',
      'Act as a medical supervisor.',
      'Act as a comedian.',
      'Act as a robot from the future.',
      'Act as a NeurIPS reviewer.',
      'Act as a child.',
    ]);
  });

  it('says why it threw something away', () => {
    expect(defaults('You are a pirate. Tell me a joke about the sea.').rejected).toContainEqual({
      name: 'persona.helpful-assistant',
      reason: 'the prompt gives the model a role already',
    });
    const frontMatter = '---\nname: x\n---\nAnswer the question.';
    expect(everything(frontMatter).rejected).toContainEqual({
      name: 'surface.leading-newline',
      reason: 'it would damage a protected part',
    });
  });

  it('copes with a prompt that is all code', () => {
    const { perturbations } = defaults('```\nprint(1)\n```');
    expect(perturbations.every(({ kind }) => kind === 'surface')).toBe(true);
  });
});

describe('what comes only on request', () => {
  const text = 'Is Paris larger than 3 other cities? Write two sentences about it, with care.';
  const asked = (options: Partial<Parameters<typeof generatePerturbations>[1]>) =>
    generatePerturbations(text, { rng: createRng(7), ...options }).perturbations;

  it('is not in a default check, and comes with its kind', () => {
    const onRequest = new Set(catalogue.filter((generator) => generator.onRequest).map(({ id }) => id));
    const ids = (options: Parameters<typeof asked>[0]) =>
      asked({ limit: 200, perSentence: 20, ...options }).map(({ id }) => id.split('@')[0]!);
    expect(ids({}).filter((id) => onRequest.has(id))).toEqual([]);
    expect(ids({ kinds: ['surface'] }).filter((id) => onRequest.has(id)).length).toBeGreaterThan(5);
  });

  it('takes kinds in turn', () => {
    const kinds = asked({ kinds: ['surface', 'length', 'mistake'], limit: 9 }).map(({ kind }) => kind);
    for (const kind of ['surface', 'length', 'mistake'] as const) {
      expect(kinds).toContain(kind);
    }
  });

  it('declares mistakes as meaningful, at level 2 or 3, and needs nothing more to give them', () => {
    const mistakes = asked({ kinds: ['mistake'] });
    expect(mistakes.length).toBeGreaterThanOrEqual(4);
    for (const { expectation, strength } of mistakes) {
      expect(expectation).toBe('meaningful');
      expect(strength.source).toBe('byConstruction');
      expect(strength.level).toBeGreaterThanOrEqual(2);
    }
  });

  it('cuts text only where meaningful changes are wanted', () => {
    expect(
      asked({ kinds: ['length'], limit: 50 }).every(({ expectation }) => expectation === 'irrelevant'),
    ).toBe(true);
    expect(
      asked({ kinds: ['length'], limit: 50, includeMeaningful: true }).map(({ name }) => name),
    ).toContain('Without its last sentence');
  });

  it('puts a persona into the system message', () => {
    const personas = asked({ kinds: ['persona'], personaPlace: 'systemMessage', includeMeaningful: true });
    expect(personas).toHaveLength(10);
    expect(personas[0]).toMatchObject({
      id: 'persona.helpful-assistant-system',
      text,
      edits: [],
      systemLine: 'Act as a helpful assistant.',
    });
    for (const persona of personas) expect(perturbationSchema.safeParse(persona).success).toBe(true);
  });

  it('mistypes as many words as it is told', () => {
    const long = Array.from({ length: 100 }, () => 'several different sentences').join(' ');
    for (const rate of [0.01, 0.1, 1]) {
      const [typos] = generatePerturbations(long, {
        rng: createRng(1),
        kinds: ['surface'],
        typoRate: rate,
        limit: 100,
      }).perturbations.filter(({ id }) => id.startsWith('surface.typos-'));
      expect(typos!.edits).toHaveLength(300 * rate);
      expect(typos!.strength.level).toBe(rate > 0.1 ? 2 : 1);
    }
    for (const rate of [0, -1, 1.1, NaN]) {
      expect(() => asked({ kinds: ['surface'], typoRate: rate })).toThrow(
        expect.objectContaining({ code: 'invalidOption' }),
      );
    }
  });

  it('swaps only for letters that look the same', () => {
    const chinese = generatePerturbations('请用大写一个人的手心。', {
      rng: createRng(1),
      kinds: ['surface'],
      limit: 100,
    }).perturbations.filter(({ id }) => id.startsWith('surface.look-alike'));
    expect(chinese.length).toBeGreaterThan(0);
    for (const { text: changed } of chinese) {
      expect(changed.normalize('NFKC')).toBe('请用大写一个人的手心。'.normalize('NFKC'));
    }
  });
});

it('lists every generator under a name of its own', () => {
  expect(new Set(catalogue.map(({ id }) => id)).size).toBe(catalogue.length);
  for (const { id, kind, preserves } of catalogue) {
    expect(id.startsWith(`${kind}.`)).toBe(true);
    expect(preserves).not.toBe('');
  }
});
