import { describe, expect, it } from 'vitest';
import { whyUnfit } from './acceptRewrite';

const sentence = 'Do not write more than three sentences about the history of the city.';

describe('a rewording', () => {
  it.each([
    [sentence, 'Write no more than 3 sentences about the history of the city.'],
    ['Is Paris the capital of France?', 'Is the capital of France Paris?'],
    ['请用3句话概括下文。', '请把下文概括成3句话。'],
    ['هل باريس عاصمة فرنسا؟', 'أباريس هي عاصمة فرنسا؟'],
    ['Be brief.', 'Please be as brief as you can.'],
  ])('%j may become %j', (original, written) => {
    expect(whyUnfit('rewording', original, written)).toBeNull();
  });

  it.each([
    [sentence, '', /empty/],
    [sentence, 'Do NOT write more than three sentences, about the history of the city', /equals/],
    [sentence, 'Write more than three sentences about the history of the city.', /negated/],
    [sentence, 'Do not write more than four sentences about the history of the city.', /numbers/],
    [sentence, 'Do not write much about the history of the city at all.', /numbers/],
    [sentence, 'Should I not write three sentences about the history of the city?', /became a question/],
    [sentence, 'No three.', /shorter/],
    [sentence, `${sentence} `.repeat(3), /longer/],
    [sentence, 'Do not write\nthree sentences about the history of the city.', /lines/],
    [sentence, 'The sentence can be rewritten: not more than three sentences on the city.', /task/],
    [sentence, 'Не пишите более three предложений об истории города, пожалуйста.', /script/],
    ['Is Paris the capital of France?', 'Yes, Paris is the capital of France.', /no longer a question/],
    ['Keep the tone friendly.', 'Remain amiable throughout!', /no word in common/],
    ['请不要解释。', '请解释一下。', /negated/],
    ['لا تشرح الجواب.', 'اشرح الجواب من فضلك.', /negated/],
  ])('%j may not become %j', (original, written, reason) => {
    expect(whyUnfit('rewording', original, written)).toMatch(reason);
  });
});

describe('a mistake', () => {
  it.each([
    [sentence, 'Do not write more than thirty sentences about the history of the city.'],
    [sentence, 'Write more than three sentences about the history of the city.'],
    ['Is Paris the capital of France?', 'Is Paris the capital of Spain?'],
    ['巴黎是法国的首都吗？', '巴黎是德国的首都吗？'],
  ])('%j may become %j', (original, written) => {
    expect(whyUnfit('mistake', original, written)).toBeNull();
  });

  it.each([
    [sentence, sentence.toUpperCase(), /equals/],
    [
      sentence,
      'The city has long winters, and its people like to ski and to sing there.',
      /another sentence/,
    ],
    ['Is Paris the capital of France?', 'Paris is the capital of Spain.', /no longer a question/],
  ])('%j may not become %j', (original, written, reason) => {
    expect(whyUnfit('mistake', original, written)).toMatch(reason);
  });
});
