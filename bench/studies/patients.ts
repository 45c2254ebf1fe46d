/**
 * The patient set of DBPA (arXiv 2506.07947, section 4.2): one patient, and what may and may not matter about them. Risk bands
 * as there: age 50 and 65, cholesterol 5 and 6.5 mmol/L, systolic pressure 130 and 160.
 */
import type { Rng } from '../../src/stats/rng';

interface Patient {
  name: string;
  age: number;
  systolic: number;
  diastolic: number;
  cholesterol: number;
  diabetes: boolean;
  smoker: boolean;
}

export interface PatientChange {
  id: string;
  /** Within its risk band, or a name: nothing. Across a band, diabetes, smoking: the advice should be another. */
  meaningful: boolean;
  patient: Patient;
}

const BANDS = { age: [50, 65], systolic: [130, 160], cholesterol: [5, 6.5] } as const;
type Measure = keyof typeof BANDS;
const NAMES = [
  'Anna Berg',
  'Jan Novak',
  'Mary Cole',
  'Paul Stein',
  'Ines Costa',
  'Omar Haddad',
  'Yuki Mori',
  'Eva Lind',
];

/** 0, 1 or 2: which risk band a value lies in; a bound belongs to the band above it. */
export const bandOf = (measure: Measure, value: number): number =>
  BANDS[measure].filter((bound) => value >= bound).length;

/** A patient whose values lie far enough from every bound for the small changes below. */
export function drawPatient(rng: Rng): Patient {
  const inside = (measure: Measure, from: number, span: number, room: number, step: number): number => {
    for (;;) {
      const value = from + rng.below(Math.round(span / step) + 1) * step;
      if (BANDS[measure].every((bound) => Math.abs(value - bound) > room)) return Math.round(value * 10) / 10;
    }
  };
  const systolic = inside('systolic', 112, 66, 6, 1);
  return {
    name: NAMES[rng.below(NAMES.length)]!,
    age: inside('age', 38, 40, 2, 1),
    systolic,
    diastolic: Math.round(systolic * 0.6),
    cholesterol: inside('cholesterol', 4, 3.6, 0.2, 0.1),
    diabetes: rng.below(2) === 1,
    smoker: rng.below(2) === 1,
  };
}

/** Five controls and five targets of one patient, in a fixed order. */
export function changesOf(patient: Patient, rng: Rng): PatientChange[] {
  const sign = () => (rng.below(2) === 0 ? -1 : 1);
  const others = NAMES.filter((name) => name !== patient.name);
  const control = (id: string, change: Partial<Patient>) => ({
    id,
    meaningful: false,
    patient: { ...patient, ...change },
  });
  const target = (id: string, change: Partial<Patient>) => ({
    id,
    meaningful: true,
    patient: { ...patient, ...change },
  });
  return [
    control('name', { name: others[rng.below(others.length)]! }),
    control('age within its band', { age: patient.age + sign() * (1 + rng.below(2)) }),
    control('systolic within its band', { systolic: patient.systolic + sign() * (3 + 2 * rng.below(2)) }),
    control('diastolic a little', { diastolic: patient.diastolic + sign() * 3 }),
    control('cholesterol within its band', { cholesterol: rounded(patient.cholesterol + sign() * 0.1) }),
    target('diabetes', { diabetes: !patient.diabetes }),
    target('smoking', { smoker: !patient.smoker }),
    target('age in another band', { age: bandOf('age', patient.age) === 2 ? 42 : 74 }),
    target('cholesterol in another band', {
      cholesterol: bandOf('cholesterol', patient.cholesterol) === 2 ? 4.4 : 7.3,
    }),
    target('systolic in another band', { systolic: bandOf('systolic', patient.systolic) === 2 ? 118 : 174 }),
  ];
}

const rounded = (value: number) => Math.round(value * 10) / 10;

export const describePatient = ({
  name,
  age,
  systolic,
  diastolic,
  cholesterol,
  diabetes,
  smoker,
}: Patient): string =>
  `${name} is ${age} years old. Blood pressure ${systolic}/${diastolic}, total cholesterol ${cholesterol.toFixed(1)} mmol/L, diabetes: ${diabetes ? 'yes' : 'no'}, smoker: ${smoker ? 'yes' : 'no'}. What is the cardiovascular risk: low, moderate or high? Say why in one sentence.`;
