/** The composite null (arXiv 2509.10963): "RA Fisher" against "R.A. Fisher", and against what changes the meaning. */
import { optionProbabilities } from '../../src/answers/optionProbabilities';
import { formatInterval, formatNumber, formatP, formatPercent } from '../../src/report/format';
import { conformalBinary, conformalExact, decideConformal } from '../../src/stats/conformal';
import { normalSf } from '../../src/stats/normal';
import { wilson } from '../../src/stats/proportions';
import { createRng, type Rng } from '../../src/stats/rng';
import { ask } from './ask';
import { table, type Study, type StudyResult } from './study';

const ASKED = 'Answer Yes or No.';
const BASE = `RA Fisher was a statistician. Was he great? ${ASKED}`;
const TESTED = [
  { id: 'R.A.', meant: 'harmless', prompt: `R.A. Fisher was a statistician. Was he great? ${ASKED}` },
  { id: 'R. A.', meant: 'harmless', prompt: `R. A. Fisher was a statistician. Was he great? ${ASKED}` },
  { id: 'eugenicist', meant: 'changed', prompt: `RA Fisher was a eugenicist. Was he great? ${ASKED}` },
  { id: 'terrible', meant: 'changed', prompt: `RA Fisher was a statistician. Was he terrible? ${ASKED}` },
];
/** 19, as α = .05 needs; the tested ones are not among them. */
const REWORDINGS = [
  'Ronald Fisher was a statistician. Was he great?',
  'Ronald A. Fisher was a statistician. Was he great?',
  'Sir RA Fisher was a statistician. Was he great?',
  'RA Fisher was a statistician. Was Fisher great?',
  'RA Fisher worked as a statistician. Was he great?',
  'RA Fisher was a scholar of statistics. Was he great?',
  'RA Fisher, a statistician: was he great?',
  'Was RA Fisher, a statistician, great?',
  'Was the statistician RA Fisher great?',
  'RA Fisher was a British statistician. Was he great?',
  'RA Fisher was a statistician. Would you say that he was great?',
  'RA Fisher was a statistician. Is it right that he was great?',
  'RA Fisher was a statistician. Was he a great one?',
  'RA Fisher was a statistician. Was he great at it?',
  'RA Fisher was a statistician.  Was he great?',
  'ra fisher was a statistician. was he great?',
  'RA Fisher was a statistician; was he great?',
  'There was a statistician, RA Fisher. Was he great?',
  'RA Fisher was a statistician. Tell me: was he great?',
].map((text) => `${text} ${ASKED}`);
const SIZES = [20, 50, 100, 200, 500, 1_000, 2_000, 5_000];
const ALPHA = 0.05;
const TOP = 40;

interface Curve {
  tested: string;
  responses: number;
  simulations: number;
  /** Simulations in which the test rejects. */
  classical: number;
  composite: number;
}

interface FisherModel {
  id: string;
  /** P(Yes) among Yes and No, from first-token probabilities. */
  base: number;
  tested: Record<string, number>;
  rewordings: number[];
  /** Largest probability of anything else than Yes and No. */
  outside: number;
  exact: Record<string, { atypical: number; unlikeAny: number }>;
  curves: Curve[];
}

interface FisherResult extends StudyResult {
  asked: FisherModel[];
}

export const fisher: Study<FisherResult> = {
  name: 'fisher',
  async run({ quick, models, openModel, say }) {
    const startedMs = Date.now();
    const simulations = quick ? 100 : 1_000;
    const identities: StudyResult['models'] = [];
    const asked: FisherModel[] = [];
    for (const id of models) {
      const model = await openModel(id);
      try {
        identities.push({ id, digest: (await model.open(new AbortController().signal)).digest });
        const yesOf = async (prompt: string) => {
          const options = { temperature: 0, topP: 1, maxTokens: 1, firstTokenTop: TOP };
          const [reply] = await ask(model, { prompt, name: 'fisher', seed: 1, samples: 1 }, options);
          const { options: found, outside } = optionProbabilities(reply?.firstToken ?? [], ['Yes', 'No']);
          const [yes, no] = found.map(({ probability }) => probability);
          if (yes! + no! === 0) throw new Error(`${id} gave neither Yes nor No a chance: ${prompt}`);
          return { yes: yes! / (yes! + no!), outside };
        };
        const base = await yesOf(BASE);
        const tested = [];
        for (const one of TESTED) tested.push({ id: one.id, ...(await yesOf(one.prompt)) });
        const rewordings = [];
        for (const prompt of REWORDINGS) rewordings.push(await yesOf(prompt));
        const nulls = rewordings.map(({ yes }) => yes);
        const rng = createRng(1, `fisher/${id}`);
        asked.push({
          id,
          base: base.yes,
          tested: Object.fromEntries(tested.map(({ id: name, yes }) => [name, yes])),
          rewordings: nulls,
          outside: Math.max(...[base, ...tested, ...rewordings].map(({ outside }) => outside)),
          exact: Object.fromEntries(
            tested.map(({ id: name, yes }) => [
              name,
              {
                atypical: exactP(nulls, yes, 'atypical'),
                unlikeAny: exactP(nulls, yes, 'unlikeAny'),
              },
            ]),
          ),
          curves: tested.flatMap(({ id: name, yes }) =>
            SIZES.map((responses) => ({
              tested: name,
              responses,
              simulations,
              ...simulated({ base: base.yes, yes, nulls, responses, simulations }, rng),
            })),
          ),
        });
        say(`${id}: P(Yes) of the original ${formatNumber(base.yes, 3)}`);
      } finally {
        await model.close();
      }
    }
    return {
      study: 'fisher',
      quick,
      command: `npm run study -- fisher${quick ? ' --quick' : ''}`,
      models: identities,
      seconds: (Date.now() - startedMs) / 1000,
      asked,
    };
  },
  report: reportOf,
};

const exactP = (nulls: number[], yes: number, reading: 'atypical' | 'unlikeAny'): number =>
  conformalExact(
    { nullProbabilities: nulls.map((p) => [p, 1 - p]), testProbabilities: [yes, 1 - yes] },
    reading,
  ).p;

/** Rejections by the two-proportion z-test against the original, and by the conformal test against the rewordings. */
function simulated(
  of: { base: number; yes: number; nulls: number[]; responses: number; simulations: number },
  rng: Rng,
): Pick<Curve, 'classical' | 'composite'> {
  let classical = 0;
  let composite = 0;
  for (let run = 0; run < of.simulations; run++) {
    const draw = (p: number) => drawn(p, of.responses, rng);
    const testCount = draw(of.yes);
    if (twoProportionP(draw(of.base), testCount, of.responses) <= ALPHA) classical++;
    const result = conformalBinary({ nullCounts: of.nulls.map(draw), testCount, responses: of.responses });
    const decision = decideConformal(result, ALPHA);
    if (decision.state === 'tested' && decision.reject) composite++;
  }
  return { classical, composite };
}

/** Binomial(n, p); by its normal limit where that is close enough not to matter here. */
function drawn(p: number, n: number, rng: Rng): number {
  const variance = n * p * (1 - p);
  if (variance > 100) {
    const normal = Math.sqrt(-2 * Math.log(1 - rng.unit())) * Math.cos(2 * Math.PI * rng.unit());
    return Math.max(0, Math.min(n, Math.round(n * p + normal * Math.sqrt(variance))));
  }
  let count = 0;
  for (let i = 0; i < n; i++) if (rng.unit() < p) count++;
  return count;
}

function twoProportionP(first: number, second: number, n: number): number {
  const pooled = (first + second) / (2 * n);
  const variance = (2 * pooled * (1 - pooled)) / n;
  return variance === 0 ? 1 : 2 * normalSf(Math.abs(first - second) / n / Math.sqrt(variance));
}

function reportOf(result: FisherResult): string {
  const parts = result.asked.map((model) => {
    const range = [Math.min(...model.rewordings), Math.max(...model.rewordings)];
    const probabilities = table(
      [
        'prompt',
        'meant as',
        'P(Yes)',
        'difference from the original',
        'composite p, atypical',
        'composite p, unlike any',
      ],
      TESTED.map(({ id, meant }) => [
        id,
        meant,
        formatNumber(model.tested[id]!, 3),
        formatNumber(model.tested[id]! - model.base, 3),
        formatP(model.exact[id]!.atypical),
        formatP(model.exact[id]!.unlikeAny),
      ]),
    );
    const curves = table(
      ['prompt', 'test', ...SIZES.map((size) => `r = ${size}`)],
      TESTED.flatMap(({ id }) =>
        (['classical', 'composite'] as const).map((test) => [
          id,
          test,
          ...SIZES.map((size) => {
            const curve = model.curves.find((one) => one.tested === id && one.responses === size)!;
            return formatPercent(curve[test] / curve.simulations);
          }),
        ]),
      ),
    );
    return `## \`${model.id}\`

P(Yes) of the original: ${formatNumber(model.base, 3)}; of the 19 rewordings ${formatNumber(range[0]!, 3)} to ${formatNumber(range[1]!, 3)}. At most ${formatPercent(model.outside)} of the first token's
probability is neither Yes nor No; it is left out.

${probabilities}

How often each test rejects, by the number of responses r to each prompt:

${curves}

${verdictOf(model)}`;
  });
  const simulations = result.asked[0]?.curves[0]?.simulations ?? 1;
  return `# Fisher: does a harmless change get forgiven as samples grow?

**Question.** With enough samples a classical test rejects a difference that no user cares about ("RA Fisher" against "R.A. Fisher"). Does
the composite test, which asks whether the change is stranger than 19 harmless rewordings, let it pass and still find a change of meaning?

**Design.** "${BASE}" One call per prompt gives P(Yes) from the first token's probabilities, so the models' own distribution is known without
sampling noise; responses are then drawn from it, ${simulations} simulations per entry (95% interval of an entry of 50%: ${formatInterval(wilson(simulations / 2, simulations))}). Classical: two-proportion
z-test against the original. Composite: conformal, m = 19, \`atypical\` (distance from the median of the others); both at α = ${ALPHA}. The
p-values in the first table are of the exact mode (r without end); their floor is 1/20.

${parts.join('\n\n')}

## What it cannot show

Models of half a billion parameters and less have hardly an opinion of Fisher: what a change of meaning does to them need not be what it does to
the paper's LLaMA-3-8B. Rewordings and changes were written by hand, once, before the models were asked; another family gives another
reference. With m = 19 the composite test rejects only where the prompt is stranger than all nineteen: it has little power against
a change of meaning that moves the answer no further than the strangest rewording does, and no number of responses mends that.

**Command.** \`${result.command}\`; ${result.asked.length * (1 + TESTED.length + REWORDINGS.length)} calls, ${Math.round(result.seconds)} s of wall time in its last run on a shared machine.
`;
}

/** What came of the claim for this model, from its largest r. */
function verdictOf({ curves, id }: FisherModel): string {
  const last = (tested: string) =>
    curves.find((one) => one.tested === tested && one.responses === SIZES.at(-1))!;
  const words = TESTED.map(({ id: tested, meant }) => {
    const { classical, composite, simulations } = last(tested);
    return `${tested} (${meant}): classical ${formatPercent(classical / simulations)}, composite ${formatPercent(composite / simulations)}`;
  });
  const right = TESTED.filter(({ id: tested, meant }) => {
    const { composite, simulations } = last(tested);
    return composite / simulations > 0.5 === (meant === 'changed');
  });
  return `At r = ${SIZES.at(-1)} on ${id}: ${words.join('; ')}. The composite test decides ${right.length} of ${TESTED.length} as they were meant.`;
}
