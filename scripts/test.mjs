// `npm test`: everything. Installs what is missing, then runs every suite (scripts/runTests.ts).
// Plain JavaScript without dependencies, as nothing may be installed yet.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { installDependencies } from './installDependencies.mjs';

const root = path.resolve(import.meta.dirname, '..');
installDependencies(root);
const result = spawnSync(
  process.execPath,
  ['node_modules/tsx/dist/cli.mjs', 'scripts/runTests.ts', ...process.argv.slice(2)],
  { cwd: root, stdio: 'inherit' },
);
process.exit(result.status ?? 1);
