/** Entry that VS Code calls inside the extension host: runs mocha and writes each test's result to RESULT_FILE. */
import { writeFileSync } from 'node:fs';
import Mocha from 'mocha';

export interface HostTestResult {
  suite: string;
  title: string;
  state: 'passed' | 'failed' | 'pending';
  durationMs: number;
  error: string | null;
}

export async function run(): Promise<void> {
  const mocha = new Mocha({ ui: 'bdd', timeout: 120_000, slow: 10_000 });
  // While a test is written, one suite alone: SUITE='tools for agents'.
  const only = process.env['SUITE'];
  if (only !== undefined) mocha.fgrep(only);
  mocha.suite.emit('pre-require', globalThis, '', mocha);
  await import('./activation.suite');
  // Before any real check: the last report is then the newest one that is kept.
  await import('./findings.suite');
  await import('./following.suite');
  await import('./exports.suite');
  await import('./findingActions.suite');
  await import('./reports.suite');
  await import('./promptTests.suite');
  await import('./agents.suite');
  await import('./staged.suite');
  await import('./check.suite');
  await import('./edit.suite');
  await import('./flips.suite');
  await import('./compare.suite');
  await import('./discovery.suite');

  const results: HostTestResult[] = [];
  const note = (state: HostTestResult['state']) => (test: Mocha.Runnable, error?: Error) => {
    results.push({
      suite: test.parent?.fullTitle() ?? '',
      title: test.title,
      state,
      durationMs: test.duration ?? 0,
      error: error === undefined ? null : (error.stack ?? String(error)),
    });
  };
  const failures = await new Promise<number>((resolve) => {
    mocha.run(resolve).on('pass', note('passed')).on('fail', note('failed')).on('pending', note('pending'));
  });
  const file = process.env['RESULT_FILE'];
  if (file !== undefined) writeFileSync(file, JSON.stringify(results, null, 1));
  if (failures > 0) throw new Error(`${failures} tests failed in the extension host`);
}
