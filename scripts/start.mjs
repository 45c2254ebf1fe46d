// `npm start`: the main job on an example, from a bare clone. Installs what is missing, builds, fetches the model,
// checks examples/ and leaves a report. Plain JavaScript without dependencies, as nothing may be installed yet.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { installDependencies } from './installDependencies.mjs';

const root = path.resolve(import.meta.dirname, '..');
const run = (command, args) => spawnSync(command, args, { cwd: root, stdio: 'inherit' }).status ?? 1;

const [example = 'examples/review.prompt', ...flags] = process.argv.slice(2);
const report = 'evenkeel-report.html';

installDependencies(root);
console.error('Building …');
if (run(process.execPath, ['node_modules/tsx/dist/cli.mjs', 'scripts/build.ts']) !== 0) process.exit(1);

const code = run(process.execPath, [
  'dist/cli.cjs',
  'robustness',
  example,
  '--report',
  report,
  ...(flags.length > 0 ? flags : ['--seed', '1']),
]);
// A verdict was reached, whichever: 0 steady, 1 wobbles, 3 undecided.
if (![0, 1, 3].includes(code)) process.exit(code);
console.log(`\nThe report: ${path.join(root, report)}`);
console.log('Your own prompt: node dist/cli.cjs robustness FILE');
