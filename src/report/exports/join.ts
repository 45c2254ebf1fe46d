/** Exports of several runs as one file, as build servers read one file of a job. */

/** @param texts what `toJunit` wrote */
export function joinJunit(texts: string[]): string {
  const suites = texts.map((text, index) =>
    text
      .slice(text.indexOf('<testsuites>') + '<testsuites>'.length, text.lastIndexOf('</testsuites>'))
      .trim()
      .replace('<testsuite id="0"', `<testsuite id="${index}"`),
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    ...suites.map((suite) => `  ${suite}`),
    '</testsuites>',
    '',
  ].join('\n');
}

const SARIF = { version: '2.1.0', $schema: 'https://json.schemastore.org/sarif-2.1.0.json' };

/**
 * @param texts what `toSarif` wrote. Each run gets its number in its category, as code hosts take only one run of each.
 */
export function joinSarif(texts: string[]): string {
  const logs = texts.map((text) => JSON.parse(text) as { runs: Record<string, unknown>[] });
  const runs = logs
    .flatMap((log) => log.runs)
    .map((run, index) =>
      texts.length < 2 ? run : { ...run, automationDetails: { id: `evenkeel/${index}/` } },
    );
  return `${JSON.stringify({ ...SARIF, ...logs[0], runs }, null, 2)}\n`;
}

/** GitHub takes 1 MiB of summary, a comment 65,536 characters: what is beyond is said. */
const MAX_CHARS = 60_000;

/** @param texts what `toMarkdown` wrote */
export function joinMarkdown(texts: string[]): string {
  if (texts.length === 0) return 'No prompt has changed.\n';
  const kept: string[] = [];
  let chars = 0;
  for (const text of texts) {
    chars += text.length;
    if (kept.length > 0 && chars > MAX_CHARS) {
      kept.push(`*${texts.length - kept.length} more prompts were checked; the JSON export holds them.*\n`);
      break;
    }
    kept.push(text);
  }
  return kept.join('\n');
}
