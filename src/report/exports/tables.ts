/** The answers and the changes of a run as CSV. `note` says in every row what is wrong with the run, if anything. */
import { toCsv } from '../../contracts/csv';
import type { RunRecord } from '../../contracts/runRecord';
import { cautionSentence } from '../sentences';
import { toPrintable } from '../visibleText';

/** One row per sample, in the order of execution. Texts are whole; characters that cannot be seen are spelled out. */
export function samplesCsv(record: RunRecord): string {
  const note = cautionSentence(record) ?? '';
  const roles = new Map(record.conditions.map((condition) => [condition.id, condition]));
  const names = new Map(record.perturbations.map((perturbation) => [perturbation.id, perturbation]));
  const head = [
    ...['run', 'note', 'condition', 'role', 'perturbation', 'kind', 'strength', 'index', 'seed', 'outcome'],
    ...[
      'text',
      'finish_reason',
      'prompt_tokens',
      'completion_tokens',
      'latency_ms',
      'started_at',
      'position',
    ],
  ];
  const rows = record.samples.map((sample) => {
    const condition = roles.get(sample.conditionId);
    const perturbation = names.get(condition?.perturbationId ?? '');
    return [
      record.id,
      note,
      sample.conditionId,
      condition?.role ?? '',
      perturbation?.name ?? '',
      perturbation?.kind ?? '',
      perturbation?.strength.level ?? null,
      sample.index,
      sample.seed,
      sample.outcome,
      toPrintable(sample.text),
      sample.finishReason,
      sample.promptTokens,
      sample.completionTokens,
      sample.latencyMs,
      new Date(sample.startedAtMs).toISOString(),
      sample.position,
    ];
  });
  return toCsv([head, ...rows]);
}

/** One row per change, as the record has them. */
export function perturbationsCsv(record: RunRecord): string {
  const note = cautionSentence(record) ?? '';
  const head = [
    ...[
      'run',
      'note',
      'id',
      'name',
      'kind',
      'expectation',
      'strength',
      'verdict',
      'undecided',
      'n_before',
      'n_after',
    ],
    ...['effect', 'ci_low', 'ci_high', 'effect_raw', 'p', 'adjusted_p', 'p_floor', 'statistics_agreeing'],
    ...['start', 'end', 'description'],
  ];
  const rows = record.perturbations.map((perturbation) => {
    const comparison = record.comparisons.find(({ perturbationId }) => perturbationId === perturbation.id);
    const effect = comparison?.effect ?? null;
    return [
      record.id,
      note,
      perturbation.id,
      perturbation.name,
      perturbation.kind,
      perturbation.expectation,
      perturbation.strength.level,
      comparison?.verdict ?? '',
      comparison?.undecided?.reason ?? '',
      comparison?.n0 ?? null,
      comparison?.n1 ?? null,
      effect?.debiased ?? null,
      effect?.interval.low ?? null,
      effect?.interval.high ?? null,
      effect?.raw ?? null,
      comparison?.p ?? null,
      comparison?.adjustedP ?? null,
      comparison?.pFloor ?? null,
      comparison?.membersAgreeing ?? null,
      perturbation.span.start,
      perturbation.span.end,
      toPrintable(perturbation.description),
    ];
  });
  return toCsv([head, ...rows]);
}
