/** The plan of a check in words. No import of `vscode`. */
import type { PreparedEdit } from '../compose/edits';
import type { PreparedCheck } from '../compose/evenkeel';
import type { Plan } from '../contracts/runRecord';
import { countOf, formatDuration } from '../report/format';
import { detectableSentence } from '../report/sentences';

/** `10 perturbations × 20 answers of local:x (220 calls, about 2 min, free)`. */
export function planSummary({ request, options, perturbations, plan }: PreparedCheck): string {
  const cost = [countOf(plan.calls, 'call'), timeText(plan), priceText(plan.priceUsd)];
  return (
    `${countOf(perturbations.length, 'perturbation')} × ${countOf(options.samples, 'answer')} of ` +
    `${request.modelId} (${cost.join(', ')})`
  );
}

/** The lines under the question whether to start. */
export function planDetail(prepared: PreparedCheck): string {
  const { request, options, perturbations, plan } = prepared;
  const names = perturbations.map(({ name }) => name);
  const tokens = (plan.promptTokens ?? 0) + plan.completionTokensAtMost;
  return [
    `Model: ${request.modelId}`,
    `Calls: ${countOf(plan.calls, 'call')} (the prompt and ${countOf(perturbations.length, 'perturbation')}, ` +
      `${countOf(options.samples, 'answer')} each)`,
    `Tokens: at most about ${countOf(tokens, 'token')}`,
    `Time: ${timeText(plan)}`,
    `Price: ${priceText(plan.priceUsd)}`,
    `Smallest p-value that can come out: ${Number(plan.pFloor.toPrecision(1))}`,
    detectableSentence(plan),
    '',
    `Perturbations: ${names.join(', ')}`,
  ].join('\n');
}

/** `the edit: 40 answers of local:x, 200 more to 19 rewordings only if they differ (at most 2 min, free)`. */
export function editPlanSummary({ request, plan, rewordings }: PreparedEdit): string {
  const least = plan.callsAtLeast ?? plan.calls;
  return (
    `the edit since ${request.against}: ${countOf(least, 'answer')} of ${request.modelId}, ${plan.calls - least} more to ` +
    `${countOf(rewordings.length, 'rewording')} only if they differ (${timeText(plan)}, ${priceText(plan.priceUsd)})`
  );
}

/** The lines under the question whether to start. */
export function editPlanDetail(prepared: PreparedEdit): string {
  const { request, plan, rewordings } = prepared;
  const least = plan.callsAtLeast ?? plan.calls;
  return [
    `Model: ${request.modelId}`,
    `Calls: ${countOf(least, 'call')} (both versions); ${plan.calls - least} more, to ${countOf(rewordings.length, 'harmless rewording')} of the old one, only if the answers differ`,
    `Tokens: at most about ${countOf((plan.promptTokens ?? 0) + plan.completionTokensAtMost, 'token')}`,
    `Time: ${timeText(plan)}`,
    `Price: ${priceText(plan.priceUsd)}`,
  ].join('\n');
}

/** A run that costs money, or that may, is asked about first. */
export const needsConsent = ({ plan }: PreparedCheck): boolean => plan.priceUsd !== 0;

const timeText = ({ seconds, secondsAre }: Plan) =>
  seconds === null
    ? 'time not known yet'
    : `${secondsAre === 'atMost' ? 'at most' : 'about'} ${formatDuration(Math.max(1, Math.round(seconds)))}`.replace(
        '.0',
        '',
      );

function priceText(priceUsd: number | null): string {
  if (priceUsd === null) return 'price not known';
  if (priceUsd === 0) return 'free';
  return priceUsd < 0.01 ? 'less than $0.01' : `about $${priceUsd.toFixed(2)}`;
}
