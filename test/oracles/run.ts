/** `npm run oracles -- DIR` checks every oracle file of a folder; without DIR the project's own copy. */
import path from 'node:path';
import { loadCheck, readFolder, runCase } from './load';

const folder = path.resolve(process.argv[2] ?? path.join(import.meta.dirname, 'fixtures'));
const files = readFolder(folder);
if (files.length === 0) {
  console.error(`no oracle files in ${folder}`);
  process.exit(1);
}
let passed = 0;
let failed = 0;
for (const { file, oracle } of files) {
  let passedHere = 0;
  const complain = (name: string, differences: string[]) => {
    console.log(`FAIL ${file} ${name}`);
    for (const line of differences.slice(0, 5)) console.log(`     ${line}`);
    if (differences.length > 5) console.log(`     … and ${differences.length - 5} more`);
  };
  try {
    const check = await loadCheck(file);
    for (const oracleCase of oracle.cases) {
      const differences = runCase(check, oracleCase);
      if (differences.length === 0) passedHere++;
      else complain(oracleCase.name, differences);
    }
  } catch (error) {
    complain('(whole file)', [error instanceof Error ? error.message : String(error)]);
  }
  console.log(`${file}: ${passedHere} of ${oracle.cases.length} cases`);
  passed += passedHere;
  failed += oracle.cases.length - passedHere;
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
