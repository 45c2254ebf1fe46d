/**
 * Makes the recorded runs that the page's tests show: `npm run record:runs [-- NAME…]`, after `npm run build`.
 * The real engine on real models of this machine; some minutes. Written to test/webview/runs.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createEvenkeel } from '../src/compose/createEvenkeel';
import { cacheDirOf } from '../src/compose/paths';
import type { RunOptions, RunRecord } from '../src/contracts/runRecord';
import { planCheck } from '../src/engine/plan';
import { conditionsOf } from '../src/engine/robustness';
import { customGenerators, type CustomRule } from '../src/perturb/custom';
import { generatePerturbations } from '../src/perturb/generate';
import { promptFromFile } from '../src/prompts/promptFile';
import { createRng } from '../src/stats/rng';

interface Recording {
  file: string;
  model?: string;
  seed?: number;
  limit?: number;
  options?: Partial<RunOptions>;
  own?: CustomRule[];
  /** Cancels once so many answers have come. */
  stopAfter?: number;
}

/** An edit of the prompt, against rewordings of it. */
interface EditRecording {
  file: string;
  seed: number;
  from: string;
  to: string;
  alpha: number;
}

const edits: Record<string, EditRecording> = {
  // A loose level, so that an edit which moves little counts as moving at all.
  editWithinNoise: {
    file: 'examples/review.prompt',
    seed: 5,
    from: 'One word is enough.',
    to: '**One word is enough.**',
    alpha: 0.2,
  },
  editChanged: {
    file: 'examples/review.prompt',
    seed: 5,
    from: 'One word is enough.',
    to: 'Answer in French, with a reason.',
    alpha: 0.05,
  },
};

const root = path.resolve(import.meta.dirname, '..');
const target = path.join(root, 'test/webview/runs');

const recordings: Record<string, Recording> = {
  changed: { file: 'examples/review.prompt', limit: 10 },
  looks: {
    file: 'examples/triage.prompt',
    limit: 5,
    options: { looks: 3, answerTokens: 8 },
    own: [
      {
        pattern: 'Yes or No',
        replacement: 'Blue or Green',
        name: 'Other options',
        expectation: 'meaningful',
        level: 3,
        mayTouchProtected: true,
      },
    ],
  },
  noChangeDetected: { file: 'test/webview/prompts/colour.prompt', limit: 4, options: { answerTokens: 12 } },
  equivalent: {
    file: 'test/webview/prompts/capital.prompt',
    limit: 4,
    options: { equivalenceMargin: 0.3, answerTokens: 8 },
  },
  undecided: { file: 'examples/triage.prompt', limit: 4, options: { samples: 4, answerTokens: 8 } },
  compromised: {
    file: 'test/webview/prompts/slogan.prompt',
    limit: 3,
    options: { answerTokens: 8, wholeAnswers: true },
  },
  cancelled: { file: 'examples/triage.prompt', limit: 5, stopAfter: 55, options: { answerTokens: 8 } },
  empty: { file: 'examples/triage.prompt', limit: 2, stopAfter: 0, options: { answerTokens: 8 } },
  freeText: {
    file: 'test/webview/prompts/slogan.prompt',
    model: 'local:smollm2-135m',
    limit: 4,
    options: { answerTokens: 24 },
  },
  everything: {
    file: 'examples/triage.prompt',
    seed: 3,
    limit: 12,
    options: {
      repeatArm: true,
      wholeAnswers: true,
      answerTokens: 48,
      equivalenceMargin: 0.2,
      system: 'You are a nurse.',
    },
    own: [
      {
        pattern: 'Yes or No',
        replacement: 'Blue or Green',
        name: 'Other options',
        expectation: 'meaningful',
        level: 3,
        mayTouchProtected: true,
      },
      {
        pattern: 'to be seen today',
        replacement: 'to sing today',
        name: 'Another question',
        expectation: 'meaningful',
        level: 3,
      },
      {
        pattern: 'need to be seen today',
        replacement: 'need to be seen within a month',
        name: 'A month',
        expectation: 'meaningful',
        level: 2,
      },
      {
        pattern: 'Does the patient need',
        replacement: 'Should the patient never need',
        name: 'Negated',
        expectation: 'meaningful',
        level: 2,
      },
    ],
  },
};

const cacheDir = mkdtempSync(path.join(tmpdir(), 'evenkeel-recordings-'));
// Recordings are no part of anybody's history; weights are.
symlinkSync(path.join(cacheDirOf(process.env), 'models'), path.join(cacheDir, 'models'));
const evenkeel = createEvenkeel({
  paths: { distDir: path.join(root, 'dist'), mediaDir: path.join(root, 'media'), cacheDir },
  endpoints: () => [],
  servers: () => ({}),
  modelMirror: () => null,
  useCache: () => false,
  ollamaUrl: () => 'http://127.0.0.1:11434',
  version: (JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string }).version,
  clock: { nowMs: () => Date.now() },
});

async function record(
  name: string,
  { file, model, seed = 1, limit, options, own, stopAfter }: Recording,
): Promise<void> {
  const prompt = promptFromFile(readFileSync(path.join(root, file), 'utf8'), file);
  const prepared = await evenkeel.prepare({
    text: prompt.text,
    source: { path: file, uri: null, range: prompt.range },
    variables: prompt.variables,
    modelId: model ?? 'local:qwen2.5-coder-0.5b',
    seed,
    limit,
    options,
    reproduce: (used) => `evenkeel robustness ${file} --seed ${used}`,
  });
  if (own !== undefined) {
    const made = generatePerturbations(prompt.text, {
      rng: createRng(seed, 'perturbations'),
      limit,
      own: customGenerators(own),
    });
    prepared.perturbations = made.perturbations;
    const sent = conditionsOf(
      { source: null, text: prompt.text, variables: prompt.variables },
      made.perturbations,
      prepared.options,
    );
    prepared.plan = planCheck(
      sent.map(({ rendered }) => rendered),
      prepared.options,
      prepared.plan,
      { inPerMillion: 0, outPerMillion: 0, asOf: null, source: 'runs on this machine' },
    );
  }
  const controller = new AbortController();
  let samples = 0;
  const made = await evenkeel.run(prepared, {
    signal: controller.signal,
    onEvent: (event) => {
      if (event.type === 'sample') samples++;
      const begun = event.type === 'sample' || (event.type === 'phase' && event.phase === 'sampling');
      if (stopAfter !== undefined && begun && samples >= stopAfter) controller.abort();
    },
  });
  keep(name, made);
}

async function recordEdit(name: string, { file, seed, from, to, alpha }: EditRecording): Promise<void> {
  const prompt = promptFromFile(readFileSync(path.join(root, file), 'utf8'), file);
  const prepared = await evenkeel.edits.prepare({
    text: prompt.text,
    source: { path: file, uri: null, range: prompt.range },
    editedText: prompt.text.replace(from, to),
    variables: prompt.variables,
    modelId: 'local:qwen2.5-coder-0.5b',
    seed,
    reproduce: (used) => `evenkeel check ${file} --seed ${used}`,
    options: { alpha },
    against: 'HEAD',
    writerId: null,
  });
  keep(name, await evenkeel.edits.run(prepared, { signal: new AbortController().signal }));
}

/** Three models on two prompts; fewer answers than a person would take, to be small. */
async function recordComparison(): Promise<void> {
  const files = ['examples/review.prompt', 'examples/triage.prompt'];
  const modelIds = ['local:qwen2.5-coder-0.5b', 'local:smollm2-135m', 'local:qwen2.5-coder-1.5b'];
  const prepared = await evenkeel.comparisons.prepare({
    prompts: files.map((file) => {
      const { text, range, variables } = promptFromFile(readFileSync(path.join(root, file), 'utf8'), file);
      return { text, variables, source: { path: file, uri: null, range } };
    }),
    modelIds,
    reference: null,
    seed: 1,
    limit: 8,
    options: { samples: 16, answerTokens: 16 },
    reproduce: (seed) => `evenkeel compare ${files.join(' ')} --models ${modelIds.join(',')} --seed ${seed}`,
  });
  const made = await evenkeel.comparisons.run(prepared, { signal: new AbortController().signal });
  writeRecord('compare', made);
  console.log(`compare: ${made.pairs.map(({ relation }) => relation).join(', ')}`);
}

async function recordFlips(): Promise<void> {
  const file = 'examples/triage.prompt';
  const { text, variables } = promptFromFile(readFileSync(path.join(root, file), 'utf8'), file);
  const plan = evenkeel.flips.prepare({
    modelId: 'local:qwen2.5-coder-1.5b',
    seed: 1,
    source: { type: 'prompt', path: file, text, variables, set: null, options: null, pattern: null },
    reproduce: `evenkeel flips ${file} --model local:qwen2.5-coder-1.5b --seed 1`,
  });
  const made = await evenkeel.flips.run(plan, { signal: new AbortController().signal });
  writeRecord('flips', made);
  console.log(`flips: ${made.answers.length} answers`);
}

function writeRecord(name: string, made: object): void {
  mkdirSync(target, { recursive: true });
  writeFileSync(path.join(target, `${name}.json`), `${JSON.stringify(made)}\n`);
}

function keep(name: string, made: RunRecord): void {
  writeRecord(name, made);
  const verdicts = made.comparisons.map(({ verdict }) => verdict);
  console.log(
    `${name}: ${made.samples.length} answers in ${made.actual.seconds.toFixed(0)} s: ${verdicts.join(', ')}`,
  );
}

const wanted = process.argv.slice(2);
try {
  if (wanted.length === 0 || wanted.includes('compare')) await recordComparison();
  if (wanted.length === 0 || wanted.includes('flips')) await recordFlips();
  for (const [name, recording] of Object.entries(edits)) {
    if (wanted.length === 0 || wanted.includes(name)) await recordEdit(name, recording);
  }
  for (const [name, recording] of Object.entries(recordings)) {
    if (wanted.length === 0 || wanted.includes(name)) await record(name, recording);
  }
} finally {
  await evenkeel.close();
  rmSync(cacheDir, { recursive: true, force: true });
}
