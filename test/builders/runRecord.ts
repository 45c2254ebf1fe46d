/** Valid run records for tests: realistic, seeded, and made without any engine. Same arguments, same record. */
import type {
  Comparison,
  Outcome,
  Perturbation,
  RunRecord,
  Sample,
  TextEdit,
  Verdict,
} from '../../src/contracts/runRecord';
import { createRng, type Rng } from '../../src/stats/rng';

export type Scenario = 'wobbles' | 'steady' | 'undecided' | 'cancelled' | 'failed' | 'empty';

interface RunRecordOptions {
  scenario?: Scenario;
  seed?: number;
  samples?: number;
  /** Replaces the text of every third answer, in turn. */
  hostileTexts?: string[];
}

export const examplePrompt = `You are a support assistant for a small bicycle shop.

Read the customer's message and decide how urgent it is. Do not guess what is not written.
Answer with one word: low, medium or high.

Message: {{message}}`;
const message = 'My brake cable snapped this morning and I ride to work every day.';

interface Change {
  id: string;
  kind: Perturbation['kind'];
  name: string;
  description: string;
  find: string;
  replace: string;
  strength: number | null;
  /** Share of answers that move in the scenario `wobbles`. */
  moves: number;
}

const changes: Change[] = [
  {
    id: 'surface.trailing-space',
    kind: 'surface',
    name: 'Trailing space',
    description: 'Adds a space at the end of a line.',
    find: 'low, medium or high.',
    replace: 'low, medium or high. ',
    strength: 0,
    moves: 0.55,
  },
  {
    id: 'rewording.contraction',
    kind: 'rewording',
    name: 'Contraction',
    description: 'Writes “do not” as “don’t”.',
    find: 'Do not guess',
    replace: 'Don’t guess',
    strength: 0,
    moves: 0.4,
  },
  {
    id: 'persona.student',
    kind: 'persona',
    name: 'Student persona',
    description: 'Says that a student asks.',
    find: 'You are a support assistant',
    replace: 'I am a student. You are a support assistant',
    strength: 1,
    moves: 0.12,
  },
  {
    id: 'surface.double-space',
    kind: 'surface',
    name: 'Double space',
    description: 'Doubles one space inside a sentence.',
    find: 'how urgent it is',
    replace: 'how  urgent it is',
    strength: 0,
    moves: 0.05,
  },
  {
    id: 'rewording.synonym',
    kind: 'rewording',
    name: 'Synonym',
    description: 'Replaces “decide” by “determine”.',
    find: 'decide how',
    replace: 'determine how',
    strength: 0,
    moves: 0.04,
  },
  {
    id: 'surface.no-final-stop',
    kind: 'surface',
    name: 'No full stop',
    description: 'Takes the full stop from the end of a sentence.',
    find: 'what is not written.',
    replace: 'what is not written',
    strength: 0,
    moves: 0.03,
  },
  {
    id: 'rewording.please',
    kind: 'rewording',
    name: 'Please',
    description: 'Asks politely.',
    find: 'Answer with one word',
    replace: 'Please answer with one word',
    strength: 0,
    moves: 0.02,
  },
  {
    id: 'surface.blank-line',
    kind: 'surface',
    name: 'Blank line removed',
    description: 'Takes a blank line out.',
    find: 'shop.\n\nRead',
    replace: 'shop.\nRead',
    strength: 0,
    moves: 0.02,
  },
  {
    id: 'mistake.typo',
    kind: 'mistake',
    name: 'Typing mistake',
    description: 'Swaps two letters of a word.',
    find: 'customer',
    replace: 'cutsomer',
    strength: 1,
    moves: 0.01,
  },
  {
    id: 'length.verbose',
    kind: 'length',
    name: 'Wordier',
    description: 'Says the same in more words.',
    find: 'Read the customer',
    replace: 'Carefully read through the customer',
    strength: null,
    moves: 0,
  },
];

const words = ['high', 'medium', 'low', 'High.', 'Urgent: high', 'The message is urgent, so high.'];

/** `seed` decides every number; `samples` is the number of answers per prompt. */
export function buildRunRecord(options: RunRecordOptions = {}): RunRecord {
  const { scenario = 'wobbles', seed = 7, samples = 20, hostileTexts = [] } = options;
  const rng = createRng(seed, scenario);
  const perturbations = scenario === 'empty' || scenario === 'failed' ? [] : changes.map(perturbationOf);
  const conditions: RunRecord['conditions'] = [
    { id: 'baseline', role: 'baseline', perturbationId: null, rendered: bind(examplePrompt) },
    ...perturbations.map((perturbation) => ({
      id: perturbation.id,
      role: 'perturbation' as const,
      perturbationId: perturbation.id,
      rendered: bind(perturbation.text),
    })),
  ];
  const moves = (id: string | null) =>
    scenario === 'steady' ? 0.02 : (changes.find((change) => change.id === id)?.moves ?? 0);
  let position = 0;
  const all = conditions.flatMap((condition, c) =>
    Array.from({ length: scenario === 'failed' ? 0 : samples }, (_, index): Sample => {
      const outcome = outcomeOf(scenario, c, index, rng);
      const word = answerOf(moves(condition.perturbationId), rng);
      const hostile = hostileTexts.length > 0 && index % 3 === 0;
      const text = hostile ? (hostileTexts[(index / 3) % hostileTexts.length] ?? word) : word;
      const latencyMs = Math.round(180 + 240 * rng.unit());
      return {
        conditionId: condition.id,
        index,
        seed: seed + index,
        outcome,
        text: outcome === 'ok' ? text : outcome === 'refused' ? 'I cannot help with that.' : '',
        finishReason: outcome === 'ok' ? 'stop' : null,
        clipped: false,
        promptTokens: 68,
        completionTokens: 1 + rng.below(12),
        latencyMs,
        startedAtMs: Date.UTC(2026, 2, 4, 12, 0, 0) + 400 * position,
        position: position++,
      };
    }),
  );
  const received = scenario === 'cancelled' ? all.slice(0, Math.floor(samples * 5.5)) : all;
  const pValues = perturbations.map(({ id }, i) =>
    undecidedOf(scenario, i)
      ? null
      : moves(id) > 0.3
        ? 0.0001 * (1 + rng.below(12))
        : 0.06 + 0.9 * rng.unit(),
  );
  const adjusted = holm(pValues);
  const comparisons = perturbations.map((perturbation, i) =>
    comparisonOf(perturbation, moves(perturbation.id), i, {
      scenario,
      samples,
      rng,
      p: pValues[i] ?? null,
      adjustedP: adjusted[i] ?? null,
    }),
  );
  const anyMoved = comparisons.some(({ verdict }) => verdict === 'changed');
  const calls = conditions.length * samples;
  return {
    version: 1,
    id: `20260304-120000-${seed}`,
    kind: 'robustness',
    state: scenario === 'cancelled' ? 'cancelled' : scenario === 'failed' ? 'failed' : 'complete',
    startedAt: '2026-03-04T12:00:00.000Z',
    finishedAt: '2026-03-04T12:01:32.400Z',
    versions: { evenkeel: '0.1.0', node: '22.12.0' },
    reproduce: `evenkeel robustness prompts/urgency.prompt --model local:qwen2.5-coder-0.5b --samples ${samples} --seed ${seed} --var message='${message}'`,
    prompt: {
      source: {
        path: 'prompts/urgency.prompt',
        uri: 'file:///workspace/prompts/urgency.prompt',
        range: { start: 0, end: examplePrompt.length },
      },
      text: examplePrompt,
      variables: { message },
    },
    model: {
      id: 'local:qwen2.5-coder-0.5b',
      provider: 'local',
      resolved: 'Qwen2.5-Coder-0.5B-Instruct-Q4_K_M.gguf',
      digest: `sha256:${Array.from({ length: 64 }, () => rng.below(16).toString(16)).join('')}`,
      baseUrl: null,
      parameterSize: '0.5B',
      quantization: 'Q4_K_M',
      contextLength: 4096,
      runtime: 'node-llama-cpp 3.21.1',
    },
    embedders: [{ id: 'minilm', digest: 'c3ab8ff13720e8ad9047dd39466b3c8974e592c2fa383d4a3960714caef0c4f2' }],
    family: memberIds,
    seed,
    options: {
      samples,
      permutations: 9_999,
      alpha: 0.05,
      multiplicity: 'holm',
      equivalenceMargin: null,
      repeatArm: false,
      bins: 30,
      bootstrapDraws: 1_000,
      temperature: 1,
      topP: 1,
      answerTokens: 32,
      wholeAnswers: false,
      system: null,
    },
    plan: {
      conditions: conditions.length,
      calls,
      promptTokens: 68 * calls,
      completionTokensAtMost: 32 * calls,
      seconds: 90,
      secondsAre: 'estimate',
      priceUsd: 0,
      pFloor: 0.0001,
    },
    actual: {
      calls: received.length,
      promptTokens: 68 * received.length,
      completionTokens: received.reduce((sum, sample) => sum + (sample.completionTokens ?? 0), 0),
      seconds: scenario === 'failed' ? 0.4 : 92.4,
      phases: { loading: 2.1, sampling: 78.2, embedding: 9.4, testing: 2.7 },
    },
    perturbations,
    conditions: scenario === 'failed' ? [] : conditions,
    samples: received,
    comparisons,
    noiseFloor:
      scenario === 'failed' || scenario === 'empty'
        ? null
        : { source: 'halfSplits', median: -0.004, q95: 0.068, draws: 200 },
    mde:
      scenario === 'failed' || scenario === 'empty'
        ? null
        : { share: 0.35, power: 0.8, alpha: 0.005, simulations: 500 },
    embedding: scenario === 'failed' ? null : { unknown: 0.002, truncated: 0 },
    conclusion: {
      state: anyMoved ? 'wobbles' : scenario === 'steady' ? 'steady' : 'undecided',
      warnings:
        scenario === 'undecided'
          ? ['The model refused or gave nothing in 31% of its answers, so most comparisons are undecided.']
          : scenario === 'wobbles'
            ? ['This is a very small model: a larger one may be steadier on the same prompt.']
            : [],
    },
    error:
      scenario === 'failed'
        ? {
            code: 'serverUnreachable',
            message: 'no connection to the model server at http://127.0.0.1:11434.',
            hint: 'Start Ollama, or choose another model with “Evenkeel: Select Model”.',
          }
        : null,
  };
}

const memberIds = [
  'minilm/jsd',
  'minilm/energy',
  ...['0.25', '0.5', '1', '2', '4'].map((width) => `minilm/mmd${width}`),
  'string',
];

const bind = (text: string) => text.replace('{{message}}', message);

function perturbationOf(change: Change): Perturbation {
  const at = examplePrompt.indexOf(change.find);
  if (at < 0) throw new Error(`the example prompt lacks "${change.find}"`);
  const edit = narrowest(change, at);
  const lineStart = examplePrompt.lastIndexOf('\n', at) + 1;
  const lineEnd = examplePrompt.indexOf('\n', at + 1);
  return {
    id: change.id,
    kind: change.kind,
    name: change.name,
    description: change.description,
    expectation: 'irrelevant',
    strength: { level: change.strength, source: change.strength === null ? 'unrated' : 'byConstruction' },
    span: { start: edit.start, end: edit.end },
    sentence: change.kind === 'persona' ? null : sentenceAround(at, lineStart, lineEnd),
    edits: [edit],
    text: examplePrompt.slice(0, edit.start) + edit.text + examplePrompt.slice(edit.end),
  };
}

/** The part of the replacement that differs. */
function narrowest({ find, replace }: Change, at: number): TextEdit {
  let head = 0;
  while (head < find.length && head < replace.length && find[head] === replace[head]) head++;
  let tail = 0;
  const most = Math.min(find.length, replace.length) - head;
  while (tail < most && find.at(-1 - tail) === replace.at(-1 - tail)) tail++;
  return {
    start: at + head,
    end: at + find.length - tail,
    text: replace.slice(head, replace.length - tail),
  };
}

function sentenceAround(at: number, lineStart: number, lineEnd: number): { start: number; end: number } {
  const line = examplePrompt.slice(lineStart, lineEnd);
  const cut = line.indexOf('. ', at - lineStart);
  const before = line.lastIndexOf('. ', at - lineStart);
  return {
    start: before < 0 ? lineStart : lineStart + before + 2,
    end: cut < 0 ? lineEnd : lineStart + cut + 1,
  };
}

function answerOf(moved: number, rng: Rng): string {
  const draw = rng.unit();
  const rare = words[3 + rng.below(3)] ?? 'high';
  if (rng.unit() < moved) return draw < 0.7 ? 'medium' : 'low';
  return draw < 0.75 ? 'high' : draw < 0.85 ? 'medium' : rare;
}

function outcomeOf(scenario: Scenario, condition: number, index: number, rng: Rng): Outcome {
  if (scenario === 'undecided') {
    const draw = rng.unit();
    return draw < 0.22 ? 'refused' : draw < 0.31 ? 'empty' : 'ok';
  }
  return condition === 4 && index === 3 ? 'empty' : 'ok';
}

function comparisonOf(
  perturbation: Perturbation,
  moved: number,
  order: number,
  numbers: { scenario: Scenario; samples: number; rng: Rng; p: number | null; adjustedP: number | null },
): Comparison {
  const { scenario, samples, rng, adjustedP } = numbers;
  const undecided = undecidedOf(scenario, order);
  const untested = undecided?.reason === 'cancelled';
  const center = moved * 0.62 + 0.03 * (rng.unit() - 0.5);
  const half = 0.05 + 0.1 * moved + 0.01 * rng.unit();
  const p = numbers.p ?? 0.5;
  const verdict: Verdict = undecided
    ? 'undecided'
    : (adjustedP ?? 1) <= 0.05
      ? 'changed'
      : 'noChangeDetected';
  const members = untested ? [] : membersOf(p, moved, rng);
  return {
    perturbationId: perturbation.id,
    verdict,
    undecided,
    deterministic: false,
    n0: samples,
    n1: untested ? 0 : samples - (order === 3 ? 1 : 0),
    p: numbers.p,
    adjustedP,
    effect: untested
      ? null
      : {
          raw: center + 0.041,
          debiased: center,
          interval: { low: center - half, high: center + half * 1.2, level: 0.95 },
        },
    members,
    membersAgreeing: members.filter((member) => member.dropped === null && member.adjustedP <= 0.05).length,
    permutations: untested ? 0 : 9_999,
    exact: false,
    pFloor: untested ? null : 0.0001,
    histogram: untested ? null : similarityHistogram(moved, samples, rng),
    nullHistogram: untested ? null : permutationHistogram(p, rng),
  };
}

/** Holm over those that have a p-value. */
function holm(pValues: (number | null)[]): (number | null)[] {
  const order = pValues.flatMap((p, index) => (p === null ? [] : [{ p, index }])).sort((a, b) => a.p - b.p);
  const adjusted: (number | null)[] = pValues.map(() => null);
  let least = 0;
  order.forEach(({ p, index }, rank) => {
    least = Math.max(least, Math.min(1, p * (order.length - rank)));
    adjusted[index] = least;
  });
  return adjusted;
}

function undecidedOf(scenario: Scenario, order: number): Comparison['undecided'] {
  if (scenario === 'cancelled' && order >= 4) {
    return { reason: 'cancelled', explanation: 'The run was stopped before these answers came.' };
  }
  if (scenario === 'undecided' && order % 4 !== 3) {
    return {
      reason: 'compromised',
      explanation: 'Measurement compromised: 7 of 20 answers were refused or empty, against 5 of 20.',
    };
  }
  return null;
}

function membersOf(p: number, moved: number, rng: Rng): Comparison['members'] {
  return memberIds.map((id, i) => {
    const dropped =
      id === 'minilm/mmd0.25' && moved === 0 ? 'All permutations give the same value at this width.' : null;
    const own = dropped ? 1 : Math.min(1, p * (1 + 2 * rng.unit() * (i === 0 ? 40 : 1)));
    return {
      id,
      statistic: 0.02 + moved * (0.3 + 0.4 * rng.unit()),
      nullMean: 0.02,
      nullSd: 0.03,
      z: dropped ? 0 : moved * 9 + rng.unit() - 0.4,
      p: own,
      adjustedP: dropped ? 1 : Math.min(1, own * 3),
      pFloor: 0.0001,
      dropped,
    };
  });
}

function similarityHistogram(moved: number, samples: number, rng: Rng): Comparison['histogram'] {
  const bins = 30;
  const edges = Array.from({ length: bins + 1 }, (_, i) => 0.2 + (0.8 * i) / bins);
  const draw = (count: number, share: number) => {
    const counts = new Array<number>(bins).fill(0);
    for (let i = 0; i < count; i++) {
      const center = rng.unit() < share ? 0.48 : rng.unit() < 0.45 ? 0.97 : 0.72;
      const value = center + 0.07 * (rng.unit() + rng.unit() + rng.unit() - 1.5);
      const bin = Math.max(0, Math.min(bins - 1, Math.floor(((value - 0.2) / 0.8) * bins)));
      counts[bin] = (counts[bin] ?? 0) + 1;
    }
    return counts;
  };
  return { edges, p0: draw((samples * (samples - 1)) / 2, 0.1), p1: draw(samples * samples, 0.1 + moved) };
}

function permutationHistogram(p: number, rng: Rng): Comparison['nullHistogram'] {
  const bins = 40;
  const edges = Array.from({ length: bins + 1 }, (_, i) => -1.5 + (8 * i) / bins);
  const counts = new Array<number>(bins).fill(0);
  for (let i = 0; i < 9_999; i++) {
    const value =
      0.6 + 0.9 * (rng.unit() + rng.unit() + rng.unit() + rng.unit() - 2) - 0.5 * Math.log(1 - rng.unit());
    const bin = Math.max(0, Math.min(bins - 1, Math.floor(((value + 1.5) / 8) * bins)));
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return { edges, counts, observed: p < 0.01 ? 5.9 : 0.4 + (1 - p) * 1.6 };
}
