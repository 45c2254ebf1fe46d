/** tsconfig.pure.json knows neither Node nor the DOM: a pure room that reaches for them does not type-check. */
import path from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');

/** Type errors of a file that does not exist on disk, checked together with the pure rooms as they are. */
function errorsOf(file: string, code: string): string[] {
  const config = ts.getParsedCommandLineOfConfigFile(path.join(root, 'tsconfig.pure.json'), undefined, {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: (diagnostic) => {
      throw new Error(String(diagnostic.messageText));
    },
  })!;
  const offender = path.join(root, file);
  const host = ts.createCompilerHost(config.options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (name) => name === offender || fileExists(name);
  host.getSourceFile = (name, options, ...rest) =>
    name === offender ? ts.createSourceFile(name, code, options) : getSourceFile(name, options, ...rest);
  const program = ts.createProgram([...config.fileNames, offender], config.options, host);
  return program
    .getSemanticDiagnostics(program.getSourceFile(offender))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

it('refuses every name of Node and of the DOM in a pure room', () => {
  const names = ['process', 'Buffer', 'document', 'window', 'fetch', 'setTimeout', 'performance', 'console'];
  const errors = errorsOf(
    'src/stats/offender.ts',
    names.map((name) => `${name};`).join('\n') + '\nexport {};\n',
  );
  expect(names.filter((name) => !errors.some((error) => error.includes(`'${name}'`)))).toEqual([]);
  expect(errors).toHaveLength(names.length);
});

it("refuses Node's modules in a pure room, and lets the language pass", () => {
  expect(
    errorsOf('src/report/offender.ts', "import 'node:fs';\nimport { join } from 'node:path';\njoin();\n"),
  ).not.toEqual([]);
  expect(errorsOf('src/report/offender.ts', 'export const a = [3, 1].toSorted();\n')).toEqual([]);
});
