import { toUserError, UserError } from '../../contracts/userError';
import { nearestNames } from '../../contracts/nearestNames';
import { perturbationKindSchema, type PerturbationKind } from '../../contracts/runRecord';
import type { PerturbationSetEvent } from '../../compose/perturbationSet';
import { formatPerturbationSet } from '../../perturb/perturbationSetFile';
import { parseCustomRules } from '../../perturb/customRulesFile';
import { toPrintable } from '../../report/visibleText';
import type { CliContext } from '../context';
import { EXIT, exitCodeOfError } from '../exitCodes';
import { chooseSeed } from '../chooseSeed';
import { requireKnownVariables } from '../knownVariables';
import { openEvenkeel } from '../openEvenkeel';
import type { ServerFlags } from '../serverFlags';
import { readPrompt } from '../readPrompt';
import { readPromptArgument } from '../readPromptArgument';
import { bytes } from '../words';

export interface PerturbFlags extends ServerFlags {
  judge?: string;
  writer?: string;
  model?: string;
  kinds?: string;
  cotSteps?: string[];
  custom?: string;
  personaIn?: 'prompt' | 'system';
  typoRate?: number;
  limit?: number;
  seed?: number;
  fresh?: boolean;
  ratings?: number;
  var?: Record<string, string>;
}

/** `evenkeel perturb FILE > set.yaml`: the perturbations to be reviewed before a model is asked. */
export async function perturb(context: CliContext, file: string, flags: PerturbFlags): Promise<number> {
  const kinds = flags.kinds === undefined ? undefined : readKinds(flags.kinds);
  requirePositive('limit', flags.limit);
  requirePositive('ratings', flags.ratings);
  if (flags.typoRate !== undefined && !(flags.typoRate > 0 && flags.typoRate <= 1)) {
    throw new UserError(
      'invalidOption',
      `--typo-rate is ${flags.typoRate}.`,
      'Give a share above 0, at most 1.',
    );
  }
  const custom =
    flags.custom === undefined ? [] : parseCustomRules((await readPromptArgument(flags.custom)).content);
  const prompt = await readPrompt(file, context.distDir, flags.var);
  const evenkeel = openEvenkeel(context, flags);
  requireKnownVariables(
    [...evenkeel.variablesOf(prompt.text).map(({ name }) => name), ...prompt.filledIn],
    flags.var,
  );
  const variables = { ...prompt.variables, ...flags.var };
  const notes: string[] = [];
  try {
    for (const id of new Set([flags.judge, flags.writer, flags.model])) {
      if (id === undefined) continue;
      await evenkeel.fetchWeights(id, {
        signal: context.signal,
        onProgress: (done, total) =>
          context.terminal.progress(`fetching the model  ${bytes(done)} of ${bytes(total)}`),
      });
    }
    if (flags.judge === undefined) notes.push(NO_JUDGE);
    const { set, stopped } = await evenkeel.perturbationSet(
      {
        text: prompt.text,
        variables,
        kinds,
        custom,
        ...(flags.cotSteps === undefined ? {} : { cotSteps: flags.cotSteps.map(Number) }),
        ...(flags.personaIn === 'system' ? { personaPlace: 'systemMessage' as const } : {}),
        typoRate: flags.typoRate,
        limit: flags.limit,
        seed: chooseSeed(flags, { text: prompt.text, variables, modelId: flags.model ?? '' }),
        writerId: flags.writer ?? null,
        judgeId: flags.judge ?? null,
        modelId: flags.model ?? null,
        ratings: flags.ratings,
      },
      {
        signal: context.signal,
        onEvent: (event) => {
          if (event.type === 'warning' && !notes.includes(event.message)) notes.push(event.message);
          show(event, context);
        },
      },
    );
    context.terminal.settle();
    if (flags.judge === undefined) context.terminal.detail(NO_JUDGE);
    const unrated = set.perturbations.filter(({ strength }) => strength.level === null).length;
    if (unrated > 0) {
      notes.push(
        `${unrated} of ${set.perturbations.length} have no strength: label them, or no flip rate counts them.`,
      );
      context.terminal.detail(notes.at(-1)!);
    }
    context.terminal.out(formatPerturbationSet(set, notes).trimEnd());
    if (stopped === null) return EXIT.policyMet;
    const error = toUserError(stopped.error);
    context.terminal.note(
      `Rating stopped: ${toPrintable(error.message)} What was rated is in the set.\nnext   ${toPrintable(error.hint)}`,
    );
    return stopped.reason === 'cancelled' ? EXIT.cancelled : exitCodeOfError(error.code);
  } finally {
    await evenkeel.close();
  }
}

const NO_JUDGE =
  'No judge: each strength is what the rule that made the perturbation declares (by construction). Name a judge with --judge, or relabel.';

function readKinds(list: string): PerturbationKind[] {
  // `edit` and `model` compare prompts and models; `custom` is the person's own, in the file.
  const known = perturbationKindSchema.options.filter((kind) => !['edit', 'model', 'custom'].includes(kind));
  const kinds = list.split(',').map((kind) => kind.trim());
  const wrong = kinds.find((kind) => !known.includes(kind as PerturbationKind));
  if (wrong !== undefined) {
    throw new UserError(
      'invalidOption',
      `There is no kind '${wrong}'; the nearest is '${nearestNames(wrong, known, 1)[0]}'.`,
      `Take some of ${known.join(', ')}, with commas between.`,
    );
  }
  return [...new Set(kinds)] as PerturbationKind[];
}

function requirePositive(name: string, value: number | undefined): void {
  if (value !== undefined && value < 1) {
    throw new UserError('invalidOption', `--${name} is ${value}.`, 'Give 1 or more.');
  }
}

function show(event: PerturbationSetEvent, { terminal }: CliContext): void {
  if (event.type === 'warning') terminal.note(toPrintable(event.message));
  if (event.type === 'progress') terminal.progress(`${event.phase}  ${event.done} of ${event.total}`);
  if (event.type === 'plan') {
    terminal.detail(
      `The ${event.who} ${toPrintable(event.id)} will be asked ${event.least} times, ${event.most} at most.`,
    );
  }
}
