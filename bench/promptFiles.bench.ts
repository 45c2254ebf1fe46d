/**
 * Every rule-based generator on every prompt file of a folder: how many perturbations come of it, how many are
 * rejected, and whether a protected part was damaged. Exit code 1 where one was.
 *
 * `npm run bench -- promptFiles DIR [--sentences 20] [--seed 1]`
 * Generators of one sentence are tried on that many sentences of a file, evenly spread.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Perturbation } from '../src/contracts/runRecord';
import { catalogue } from '../src/perturb/catalogue';
import { customGenerators } from '../src/perturb/custom';
import { finishDraft } from '../src/perturb/finish';
import { promptParts, type Generator, type PromptParts } from '../src/perturb/generator';
import { systemPersonaGenerators } from '../src/perturb/persona';
import type { Sentence } from '../src/prompts/sentences';
import { createRng } from '../src/stats/rng';

interface Count {
  made: number;
  rejected: number;
  damaged: number;
}

export function run(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { sentences: { type: 'string', default: '20' }, seed: { type: 'string', default: '1' } },
  });
  const [folder] = positionals;
  if (folder === undefined) {
    console.error('usage: npm run bench -- promptFiles DIR [--sentences 20] [--seed 1]');
    return Promise.resolve(2);
  }
  const generators: Generator[] = [
    ...catalogue,
    ...systemPersonaGenerators,
    // A user's pattern that would rename every `the`, and one that is after digits wherever they are.
    ...customGenerators([
      { pattern: '\\bthe\\b', replacement: 'that' },
      { pattern: '\\d', replacement: '7' },
    ]),
  ];
  const files = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort();
  const perGenerator = new Map<string, Count>(generators.map(({ id }) => [id, none()]));
  const rejections = new Map<string, number>();
  let seenInControl = 0;
  console.log(`${'file'.padEnd(60)}  words  protected   made  rejected  damaged`);
  for (const name of files) {
    const parts = promptParts(readFileSync(path.join(folder, name), 'utf8'));
    const here = none();
    for (const generator of generators) {
      const total = perGenerator.get(generator.id)!;
      for (const sentence of sentencesFor(generator, parts, Number(values.sentences))) {
        const outcome = attempt(parts, generator, sentence, Number(values.seed));
        if (outcome === null) continue;
        const key = 'reason' in outcome ? 'rejected' : 'made';
        here[key]++;
        total[key]++;
        if ('reason' in outcome) {
          rejections.set(outcome.reason, (rejections.get(outcome.reason) ?? 0) + 1);
          continue;
        }
        for (const fault of damages(parts, outcome)) {
          here.damaged++;
          total.damaged++;
          console.log(`  DAMAGED by ${outcome.id}: ${fault}`);
        }
      }
    }
    const broken = attempt(parts, CONTROL, null, 1);
    if (broken !== null && 'text' in broken) seenInControl += damages(parts, broken).length;
    const words = parts.text.split(/\s+/).length;
    console.log(
      `${name.padEnd(60)} ${String(words).padStart(6)} ${String(parts.guard.length).padStart(10)} ${columns(here)}`,
    );
  }
  console.log(`\n${'generator'.padEnd(32)}   made  rejected  damaged`);
  for (const [id, count] of perGenerator) console.log(`${id.padEnd(32)} ${columns(count)}`);
  const sum = none();
  for (const count of perGenerator.values()) {
    sum.made += count.made;
    sum.rejected += count.rejected;
    sum.damaged += count.damaged;
  }
  console.log(`\nrejected because`);
  for (const [reason, count] of [...rejections].sort((a, b) => b[1] - a[1]))
    console.log(`  ${count}  ${reason}`);
  console.log(
    `\n${files.length} files × ${generators.length} generators: ${sum.made} made, ${sum.rejected} rejected, ${sum.damaged} damaged`,
  );
  console.log(`control, a rule that is meant to damage: ${seenInControl} damages seen`);
  return Promise.resolve(sum.damaged > 0 || seenInControl === 0 ? 1 : 0);
}

/** Were nothing found in what this one does, nothing found elsewhere would mean nothing. */
const CONTROL = customGenerators([{ pattern: '[`/]', replacement: '_', mayTouchProtected: true }])[0]!;

const none = (): Count => ({ made: 0, rejected: 0, damaged: 0 });
const columns = ({ made, rejected, damaged }: Count) =>
  `${String(made).padStart(6)} ${String(rejected).padStart(9)} ${String(damaged).padStart(8)}`;

function sentencesFor(generator: Generator, { sentences }: PromptParts, most: number): (Sentence | null)[] {
  if (generator.scope === 'prompt') return [null];
  const step = Math.max(1, sentences.length / most);
  return Array.from({ length: Math.min(most, sentences.length) }, (_, i) => sentences[Math.floor(i * step)]!);
}

function attempt(parts: PromptParts, generator: Generator, sentence: Sentence | null, seed: number) {
  const rng = createRng(seed, `${generator.id}@${sentence?.start ?? ''}`);
  const proposal =
    generator.scope === 'prompt' ? generator.propose(parts, rng) : generator.propose(parts, sentence!, rng);
  if (proposal === null || 'reason' in proposal) return proposal;
  return finishDraft(parts, {
    id: generator.id,
    generator,
    ...proposal,
    sentence: sentence ?? proposal.sentence ?? null,
  });
}

/** What a reader would grep for; on purpose not the code that generators are kept in check with. */
const STRUCTURE: [string, RegExp][] = [
  ['code fence', /^[ \t]*(`{3,}|~{3,})[^\n]*\n[\s\S]*?^[ \t]*\1[ \t]*$/gm],
  ['front matter', /^---\n[\s\S]*?\n---(?=\n)/g],
  ['variable', /\{\{[^{}\n]+\}\}|\$\{[^{}\n]+\}/g],
  ['inline code', /(?<!`)`[^`\n]+`(?!`)/g],
  ['URL', /https?:\/\/[^\s<>)"'`]+[^\s<>)"'`.,;:!?*\]]/g],
  ['table row', /^\|.*\|$/gm],
  ['link target', /\]\([^)\n]+\)/g],
  ['JSON key', /"[\w-]+"\s*:/g],
];

/** Every structure that is not the same afterwards, and every protected part whose characters moved apart. */
function damages(parts: PromptParts, { edits, text }: Perturbation): string[] {
  const faults: string[] = [];
  for (const [name, pattern] of STRUCTURE) {
    const before = parts.text.match(pattern) ?? [];
    const after = text.match(pattern) ?? [];
    const lost = before.find((part, i) => part !== after[i]);
    if (lost !== undefined) faults.push(`${name} ${JSON.stringify(lost.slice(0, 80))}`);
  }
  for (const { kind, start, end } of parts.guard) {
    const shift = edits
      .filter((edit) => edit.end <= start)
      .reduce((sum, edit) => sum + edit.text.length - (edit.end - edit.start), 0);
    const wording = parts.text.slice(start, end);
    if (text.slice(start + shift, end + shift) !== wording)
      faults.push(`${kind} ${JSON.stringify(wording.slice(0, 80))}`);
  }
  return faults;
}
