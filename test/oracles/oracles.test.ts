import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadCheck, readFolder, runCase } from './load';

for (const { file, read } of readFolder(path.join(import.meta.dirname, 'fixtures'))) {
  describe(file, async () => {
    const oracle = read()!;
    const check = await loadCheck(file);
    it.each(oracle.cases.map((oracleCase) => [oracleCase.name, oracleCase] as const))(
      '%s',
      (_name, oracleCase) => {
        expect(runCase(check, oracleCase)).toEqual([]);
      },
    );
  });
}
