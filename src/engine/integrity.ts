import type { Integrity } from '../contracts/integrity';
import type { Condition, ModelIdentity, Sample } from '../contracts/runRecord';
import type { EmbeddedTexts } from './compare';
import { gather } from './compare';
import { usable } from './judgeArms';
import type { Tester } from './ports';

/** Drift is claimed at this p: one honest run in a hundred is called compromised. */
const DRIFT_ALPHA = 0.01;
const DRIFT_PERMUTATIONS = 999;
/** A token seldom holds more than one word, so a server that counts fewer tokens than this share of the words has not read all. */
const LEAST_TOKENS_PER_WORD = 0.8;
/** Shorter prompts say too little. */
const LEAST_WORDS = 200;

/**
 * Whether the measurement itself can be trusted: the same model from beginning to end, whole prompts, and answers to the
 * unchanged prompt that did not drift while the run went on. Each problem is a sentence for people.
 */
export async function checkIntegrity(
  tester: Pick<Tester, 'driftTest'>,
  run: {
    before: ModelIdentity;
    after: ModelIdentity;
    /** What the server said of another model in mid-run. */
    changed: string | null;
    conditions: Condition[];
    samples: Sample[];
    baseline: Sample[];
    /** Of the first embedder; undefined without one. */
    embedded: EmbeddedTexts | undefined;
    seed: number;
  },
  signal: AbortSignal,
): Promise<Integrity> {
  const problems: string[] = [];
  const changed = run.changed ?? changedModel(run.before, run.after);
  if (changed !== null) problems.push(changed);
  const cut = truncatedPrompts(run.conditions, run.samples);
  if (cut !== null) problems.push(cut);
  const drift = await driftOf(tester, run, signal);
  const p = drift?.p ?? 1;
  if (p <= DRIFT_ALPHA) {
    problems.push(
      `Answers to the unchanged prompt drifted while the run went on (p = ${Number(p.toPrecision(2))}): the server or its model did not stay the same. Run it again when the server is quiet.`,
    );
  }
  return { problems, drift };
}

function changedModel(before: ModelIdentity, after: ModelIdentity): string | null {
  const differs = (one: string | null, other: string | null) =>
    one !== null && other !== null && one !== other;
  // Some servers tell the full name of a model only with its answers: that alone is no change.
  if (!differs(before.digest, after.digest)) return null;
  const name = ({ resolved, digest }: ModelIdentity) =>
    digest === null ? resolved : `${resolved} (${digest.replace(/^sha256:/, '').slice(0, 12)})`;
  return `The model behind ${before.id} changed in mid-run, from ${name(before)} to ${name(after)}. Run it again.`;
}

function truncatedPrompts(conditions: Condition[], samples: Sample[]): string | null {
  const words = new Map(
    conditions.map(({ id, rendered }) => [id, rendered.split(/\s+/).filter((word) => word !== '').length]),
  );
  const cut = samples.find(({ conditionId, promptTokens }) => {
    const count = words.get(conditionId) ?? 0;
    return promptTokens !== null && count >= LEAST_WORDS && promptTokens < LEAST_TOKENS_PER_WORD * count;
  });
  if (cut === undefined) return null;
  return `The server read only ${cut.promptTokens} tokens of a prompt of ${words.get(cut.conditionId)} words: it cuts prompts off. Give it a longer context, or take another model.`;
}

async function driftOf(
  tester: Pick<Tester, 'driftTest'>,
  { baseline, embedded, seed }: { baseline: Sample[]; embedded: EmbeddedTexts | undefined; seed: number },
  signal: AbortSignal,
): Promise<Integrity['drift']> {
  const answers = usable(baseline);
  if (embedded === undefined || answers.length === 0) return null;
  return tester.driftTest(
    {
      // When it was asked for, not when it came: a long answer comes late, and that is no drift.
      times: answers.map(({ startedAtMs }) => startedAtMs),
      vectors: gather(
        embedded,
        answers.map(({ text }) => text),
      ),
      dim: embedded.dim,
      permutations: DRIFT_PERMUTATIONS,
      seed,
    },
    { signal },
  );
}
