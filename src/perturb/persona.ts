import type { Expectation } from '../contracts/runRecord';
import type { PromptGenerator } from './generator';

/**
 * A role put before the prompt, on a line of its own (after front matter and a role label such as `system:`).
 *
 * The DBPA paper (arXiv 2506.07947, section 4) uses eight of them on medical questions and sorts them by whether
 * the answer should change. That sorting holds for its task only: in a prompt that we know nothing about, a
 * comedian or a child may well be expected to answer differently. So here only neutral roles, which a chat model
 * plays anyway, are `irrelevant`; all eight of the paper are `meaningful` and not part of a default check.
 * Relabel them where your task makes them harmless.
 */
const persona = (id: string, role: string, expectation: Expectation, level: 1 | 2): PromptGenerator => ({
  id: `persona.${id}`,
  kind: 'persona',
  name: `Persona: ${role.replace(/^an? /, '')}`,
  expectation,
  level,
  scope: 'prompt',
  preserves: 'the whole prompt, below the added line',
  propose({ text, sentences, english }) {
    const first = sentences[0];
    if (!first) return null;
    if (!english) return { reason: 'the prompt is not in English, the added line would be' };
    const opening = text.slice(first.start, first.start + 400);
    if (/\b(?:you are|you're|act as|your role is|as an? (?:expert|assistant))\b/i.test(opening)) {
      return { reason: 'the prompt gives the model a role already' };
    }
    const lineStart = text.lastIndexOf('\n', first.start - 1) + 1;
    return {
      edits: [{ start: lineStart, end: lineStart, text: `Act as ${role}.\n` }],
      description: `The prompt begins with “Act as ${role}.”`,
    };
  },
});

/** The same role as first line of the system message: `persona.doctor` becomes `persona.doctor-system`. */
const inSystemMessage = (generator: PromptGenerator): PromptGenerator => ({
  ...generator,
  id: `${generator.id}-system`,
  preserves: 'the whole prompt; the system message below the added line',
  propose(parts, rng) {
    const proposal = generator.propose(parts, rng);
    if (!proposal || 'reason' in proposal) return proposal;
    const systemLine = proposal.edits[0]!.text.trimEnd();
    return { edits: [], systemLine, description: `The system message begins with “${systemLine}”` };
  },
});

/** Neutral ones first; then the eight of the paper. */
export const personaGenerators: PromptGenerator[] = [
  persona('helpful-assistant', 'a helpful assistant', 'irrelevant', 1),
  persona('ai-assistant', 'an AI assistant', 'irrelevant', 1),
  persona('doctor', 'a doctor', 'meaningful', 1),
  persona('nurse', 'a nurse', 'meaningful', 1),
  persona('medical-practitioner', 'a medical practitioner', 'meaningful', 1),
  persona('medical-supervisor', 'a medical supervisor', 'meaningful', 1),
  persona('comedian', 'a comedian', 'meaningful', 2),
  persona('robot-from-the-future', 'a robot from the future', 'meaningful', 2),
  persona('neurips-reviewer', 'a NeurIPS reviewer', 'meaningful', 2),
  persona('child', 'a child', 'meaningful', 2),
];

export const systemPersonaGenerators: PromptGenerator[] = personaGenerators.map(inSystemMessage);
