import { questionSchema, type Question } from '../contracts/perturbationSet';
import { UserError } from '../contracts/userError';

const FORM =
  'Each line is one JSON object: {"id": "q1", "question": "…", "options": [{"label": "A", "text": "…"}, …], "answer": "A"}.';

/**
 * Reads a multiple-choice set, one JSON object a line; empty lines are skipped.
 * @param name of the file, for messages
 * @throws UserError `invalidOption` with the line: not JSON, not of the form, an id or label twice, an answer that is
 *   no label; or no question at all
 */
export function parseQuestions(text: string, name: string): Question[] {
  const questions: Question[] = [];
  const lineOf = new Map<string, number>();
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  for (const [i, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const wrong = (what: string) => new UserError('invalidOption', `${name}, line ${i + 1}: ${what}.`, FORM);
    const question = readLine(line, wrong);
    const before = lineOf.get(question.id);
    if (before !== undefined) throw wrong(`the id '${question.id}' was used before, in line ${before}`);
    lineOf.set(question.id, i + 1);
    const labels = question.options.map(({ label }) => label.trim().toLowerCase());
    if (new Set(labels).size < labels.length) throw wrong('two options have the same label');
    if (question.answer !== null && !question.options.some(({ label }) => label === question.answer))
      throw wrong(`the answer '${question.answer}' is none of its options`);
    questions.push(question);
  }
  if (questions.length === 0) throw new UserError('invalidOption', `${name} holds no question.`, FORM);
  return questions;
}

function readLine(line: string, wrong: (what: string) => UserError): Question {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch {
    throw wrong('this is not JSON');
  }
  const parsed = questionSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  const at = issue.path.join('.');
  if (at === 'options' && issue.code === 'too_small') throw wrong('a question needs at least two options');
  throw wrong(at === '' ? 'this is not an object' : `'${at}' is missing or of the wrong form`);
}

/** Labels that are the options themselves, as `Yes` and `No`. */
const spellsItself = ({ options }: Question): boolean =>
  options.every(({ label, text }) => text === '' || text === label);

/**
 * The prompt of a question, fixed so that runs compare:
 * `Question: …`, one line per option (`A. …`; none where the labels say it all), and `Answer with the letter:` or
 * `Answer with Yes or No:`.
 * @param question its text may be a perturbed one
 */
export function questionPrompt(question: Question): string {
  const labels = question.options.map(({ label }) => label);
  const named = `${labels.slice(0, -1).join(', ')} or ${labels.at(-1)!}`;
  if (spellsItself(question)) return `Question: ${question.question}\nAnswer with ${named}:`;
  const letters = labels.every((label) => /^[A-Z]$/.test(label));
  return [
    `Question: ${question.question}`,
    ...question.options.map(({ label, text }) => `${label}. ${text}`),
    letters ? 'Answer with the letter:' : `Answer with ${named}:`,
  ].join('\n');
}
