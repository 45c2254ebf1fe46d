/**
 * Files that are made from the source: `tsx scripts/generated.ts` writes them, `npm run check -- generated` tells which
 * are not current.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as prettier from 'prettier';
import { z } from 'zod';
import { RUN_RECORD_VERSION, runRecordSchema } from '../src/contracts/runRecord';
import { SUITE_VERSION, suiteSchema } from '../src/contracts/suite';
import { glossary } from '../src/report/glossary';

const root = path.resolve(import.meta.dirname, '..');

function glossaryPage(): string {
  const entries = glossary.map(
    ({ term, meaning, formula }) =>
      `## ${term}\n\n${meaning}\n${formula === null ? '' : `\n\`${formula}\`\n`}`,
  );
  return `# What the words mean\n\n<!-- Made from src/report/glossary.ts by \`npm run generate\`: change it there. -->\n\n${entries.join('\n')}`;
}

const runRecordJsonSchema = (): string =>
  JSON.stringify({
    title: `Evenkeel run record, version ${RUN_RECORD_VERSION}`,
    description: 'What `evenkeel robustness --json` and `evenkeel report --format json` write.',
    ...z.toJSONSchema(runRecordSchema, { io: 'input' }),
  });

const suiteJsonSchema = () => ({
  title: `Evenkeel suite file, version ${SUITE_VERSION}`,
  ...z.toJSONSchema(suiteSchema, { io: 'input' }),
});

interface KeySchema {
  description?: string;
  default?: unknown;
  properties?: Record<string, KeySchema>;
  type?: string;
}

function suitePage(): string {
  const rows = (schema: KeySchema, prefix: string): string[] =>
    Object.entries(schema.properties ?? {}).flatMap(([key, one]) => {
      const inner = rows(one, `${prefix}${key}.`);
      const standard =
        one.default === undefined || inner.length > 0 ? '' : `\`${JSON.stringify(one.default)}\``;
      const words = (one.description ?? '').replaceAll('|', '\\|');
      return [`| \`${prefix}${key}\` | ${standard} | ${words} |`, ...inner];
    });
  return `# The suite file

<!-- Made from src/contracts/suite.ts by \`npm run generate\`: change it there. -->

\`evenkeel.yaml\` at the root of a repository says which prompts are checked, with what, and what makes a check fail. \`evenkeel init\`
writes one from what it finds. \`evenkeel robustness\` without a file checks all of it; \`evenkeel check\` and the hook take its prompts,
model, cases and policy. Flags go before it. It holds no keys, no commands and no code.

\`\`\`yaml
version: 1
prompts: ["prompts/**/*.prompt", "docs/agent.md:40"]
cases: cases.jsonl
model: ollama:gemma3:270m
samples: 20
budget: { usd: 0.50 }
policy:
  fail: [changed, "effect > 0.2"]
  undecided: warn
\`\`\`

| key | default | what it is |
| --- | --- | --- |
${rows(suiteJsonSchema() as KeySchema, '').join('\n')}

Errors name file, line and column, and the nearest key for one that does not exist. The [JSON schema](schema/suite.v${SUITE_VERSION}.json) gives
completion in VS Code with the YAML extension.
`;
}

/** The text of every generated file, by its path. */
async function generatedFiles(): Promise<Map<string, string>> {
  const texts = new Map([
    ['docs/glossary.md', glossaryPage()],
    ['docs/suite-file.md', suitePage()],
    [`docs/schema/suite.v${SUITE_VERSION}.json`, JSON.stringify(suiteJsonSchema())],
    [`docs/schema/runRecord.v${RUN_RECORD_VERSION}.json`, runRecordJsonSchema()],
  ]);
  const options = await prettier.resolveConfig(path.join(root, 'package.json'));
  for (const [file, text] of texts)
    texts.set(file, await prettier.format(text, { ...options, filepath: file }));
  return texts;
}

if (process.argv[1] === import.meta.filename) {
  for (const [file, text] of await generatedFiles()) writeFileSync(path.join(root, file), text);
}

/** Generated files of a repository that are missing, or not what the source makes of them. */
export async function staleFiles(folder: string): Promise<string[]> {
  const hasSource = existsSync(path.join(folder, 'src/report/glossary.ts'));
  const stale: string[] = [];
  for (const [file, text] of await generatedFiles()) {
    const target = path.join(folder, file);
    const current = existsSync(target) ? readFileSync(target, 'utf8') === text : !hasSource;
    if (!current) stale.push(file);
  }
  return stale;
}
