import { expect, it } from 'vitest';
import { createRng } from '../stats/rng';
import { catalogue } from './catalogue';
import { finishDraft } from './finish';
import { promptParts } from './generator';
import corpus from './goldenCorpus.json';

/** Each pair was read by a person: `perturbed` is what the generator should make of `text`, null when nothing. */
it.each(corpus)('$generator on $about: $text', ({ text, generator: id, sentence: index, perturbed }) => {
  const generator = catalogue.find((candidate) => candidate.id === id)!;
  const parts = promptParts(text);
  const sentence = index === undefined ? null : parts.sentences[index]!;
  const proposal =
    generator.scope === 'prompt'
      ? generator.propose(parts, createRng(1))
      : generator.propose(parts, sentence!, createRng(1));
  const finished =
    proposal && !('reason' in proposal)
      ? finishDraft(parts, { id, generator, ...proposal, sentence: sentence ?? proposal.sentence ?? null })
      : null;
  expect(finished && 'text' in finished ? finished.text : null).toBe(perturbed);
});
