import { describe, expect, it } from 'vitest';
import { answer, perturbation, planOf, question } from '../../test/builders/flipsPlan';
import { flipsFindings } from './flipsFindings';

const ids = Array.from({ length: 12 }, (_, i) => `q${i}`);
const plan = planOf(
  ids.map((id) => question(id)),
  () => [perturbation(0, 'same', 'surface'), perturbation(3, 'turned')],
);
/** Every original says A, no negligible change flips, the first `strong` strong ones do. */
const answers = (strong: number) =>
  ids.flatMap((id, i) => [
    answer(id, 'A'),
    answer(`${id}/surface.same`, 'A'),
    answer(`${id}/mistake.turned`, i < strong ? 'B' : 'A'),
  ]);
const findings = (given: ReturnType<typeof answers>, of = plan) =>
  flipsFindings(of, given, { stopped: null });

describe('the figures of a flips run', () => {
  it('are rates by strength with n, the difference by questions, and the trend within them', () => {
    const [figures] = findings(answers(8)).figures;
    expect(figures!.rows.map(({ flips, n, suppressed }) => [flips, n, suppressed])).toEqual([
      [0, 12, false],
      [0, 0, true],
      [0, 0, true],
      [8, 12, false],
    ]);
    // Each question has an item at either end.
    expect(figures!.overall).toMatchObject({ method: 'clusterBootstrap', suppressed: false });
    expect(figures!.overall!.difference).toBeCloseTo(8 / 12, 12);
    // Eight questions flip for the strong change only: the sign test.
    expect(figures!.trendWithin!.pIncrease).toBeCloseTo(0.5 ** 8, 12);
  });

  it('are the same for the same answers, bit for bit', () => {
    expect(findings(answers(5))).toEqual(findings(answers(5)));
  });

  it('leave out what has no readable answer, itself or its original, and say how many', () => {
    const given = answers(8);
    given[0] = answer('q0', null, { outcome: 'refused' });
    given[4] = answer('q1/surface.same', null);
    const { figures, warnings } = findings(given);
    expect(figures[0]!.unanswered).toBe(3);
    expect(figures[0]!.rows.map(({ n }) => n)).toEqual([10, 0, 0, 11]);
    expect(warnings.join(' ')).toContain('3 of 24 perturbations are left out');
  });

  it('do not count what was not asked yet', () => {
    const [figures] = findings(answers(8).slice(0, 7)).figures;
    expect(figures!.rows.map(({ n }) => n)).toEqual([2, 0, 0, 2]);
    expect(figures!.unanswered).toBe(0);
  });

  it('keep unrated perturbations out of every rate', () => {
    const unrated = planOf([question('q')], () => [perturbation(null, 'new')]);
    const [figures] = findings([answer('q', 'A'), answer('q/mistake.new', 'B')], unrated).figures;
    expect(figures).toMatchObject({ unrated: 1, overall: null, trend: null });
    expect(figures!.rows.every(({ n }) => n === 0)).toBe(true);
  });

  it('keep changes of the reasoning apart from those of the input', () => {
    const mixed = planOf([question('q')], () => [perturbation(3, 'input')]);
    const base = { question: 'q', type: 'cot' as const, prompt: '…' };
    mixed.conditions.push(
      { ...base, id: 'reasoning', perturbation: null },
      {
        ...base,
        id: 'step',
        perturbation: { id: 'cot.step', kind: 'cot', name: 'step', strength: { level: 3, source: 'judge' } },
      },
    );
    const { figures } = findings(
      [
        answer('q', 'A'),
        answer('q/mistake.input', 'B'),
        // The same answer as the reasoned original, another than that of the plain one.
        answer('reasoning', 'B'),
        answer('step', 'B'),
      ],
      mixed,
    );
    expect(figures.map(({ type, rows }) => [type, rows[3]!.flips, rows[3]!.n])).toEqual([
      ['input', 1, 1],
      ['cot', 0, 1],
    ]);
  });

  it('have an A/A flip rate where answers are sampled', () => {
    const sampled = { ...plan, options: { ...plan.options, temperature: 1 } };
    const again = ids.map((id, i) => answer(id, i < 3 ? 'B' : 'A', { index: 1 }));
    expect(findings([...answers(8), ...again], sampled).aa).toMatchObject({
      flips: 3,
      n: 12,
      rate: 0.25,
      suppressed: false,
    });
    expect(findings(answers(8)).aa).toBeNull();
  });

  it('warn of a model that always says the same, and of one that does not keep to the options', () => {
    const shy = answers(0).map((entry) => ({ ...entry, outside: 0.8 }));
    const { warnings, originals, outside } = findings(shy);
    expect(originals).toEqual({
      answered: 12,
      right: { right: 12, n: 12 },
      commonest: { answer: 'A', n: 12 },
    });
    expect(outside).toBeCloseTo(0.8, 12);
    expect(warnings[0]).toContain("answers 'A' to 12 of 12 questions");
    expect(warnings[1]).toContain('80% of the probability');
  });
});

describe('the errors of a judge', () => {
  /** Twelve strong changes of which the person calls every other one moderate; those do not flip. */
  const judgedPlan = (labelled: number) => ({
    ...plan,
    conditions: plan.conditions.map((condition) => {
      const { perturbation: change, question: id } = condition;
      if (change?.kind !== 'mistake') return condition;
      const i = Number(id.slice(1));
      const strength =
        i < labelled
          ? { level: i % 2 === 0 ? 3 : 2, source: 'user' as const, judged: 3 }
          : { level: 3, source: 'judge' as const };
      return { ...condition, perturbation: { ...change, strength } };
    }),
  });
  const half = ids.flatMap((id, i) => [
    answer(id, 'A'),
    answer(`${id}/surface.same`, 'A'),
    answer(`${id}/mistake.turned`, i % 2 === 0 ? 'B' : 'A'),
  ]);

  it('are bounded wherever a judge rated, and nowhere else', () => {
    expect(findings(half).figures[0]).toMatchObject({ confusion: null, corrected: null });
    const [figures] = findings(half, judgedPlan(0)).figures;
    expect(figures!.corrected).toBeNull();
    // Two of twelve may be moderate ones: of those that flip, or of those that do not.
    expect(figures!.confusion).toMatchObject({ share: 0.2, responsive: { low: 4 / 10, high: 6 / 10 } });
  });

  it('are taken out from ten labels on', () => {
    expect(findings(half, judgedPlan(9)).figures[0]!.corrected).toBeNull();
    const { corrected } = findings(half, judgedPlan(12)).figures[0]!;
    expect(corrected!.labels).toBe(12);
    // Within what the judge called strong, six of twelve flip; nothing tells moderate from strong there.
    expect(corrected!.rates[3]).toBeCloseTo(6 / 12, 1);
    expect(corrected!.intervals[3]!.low).toBeLessThan(0.5);
  });
});
