/** `npm run oracles -- DIR` checks every oracle file of a folder; without DIR the project's own copy. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { loadCheck, readFolder, runCase } from './load';

const folder = path.resolve(process.argv[2] ?? path.join(import.meta.dirname, 'fixtures'));
const files = existsSync(folder) ? readFolder(folder) : [];
if (files.length === 0) {
  console.error(`no oracle files in ${folder}`);
  process.exit(1);
}
let passed = 0;
let failed = 0;
for (const { file, read } of files) {
  let passedHere = 0;
  let cases = 0;
  const complain = (name: string, differences: string[]) => {
    console.log(`FAIL ${file} ${name}`);
    for (const line of differences.slice(0, 5)) console.log(`     ${line}`);
    if (differences.length > 5) console.log(`     … and ${differences.length - 5} more`);
  };
  try {
    const oracle = read();
    if (oracle === null) {
      console.log(`${file}: no cases, left out`);
      continue;
    }
    cases = oracle.cases.length;
    const check = await loadCheck(file);
    for (const oracleCase of oracle.cases) {
      const differences = runCase(check, oracleCase);
      if (differences.length === 0) passedHere++;
      else complain(oracleCase.name, differences);
    }
  } catch (error) {
    complain('(whole file)', [error instanceof Error ? error.message : String(error)]);
    // A file that cannot be read, or has no topic, is one failure at least.
    cases ||= 1;
  }
  console.log(`${file}: ${passedHere} of ${cases} cases`);
  passed += passedHere;
  failed += cases - passedHere;
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
