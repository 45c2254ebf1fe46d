/**
 * The report page alone, with recorded data, on 127.0.0.1: `npm run dev:web [-- run-record.json …]`.
 * The page is built anew for every request, so reloading shows the newest source.
 */
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { runRecordSchema, type RunRecord } from '../src/contracts/runRecord';
import { toHtml } from '../src/report/html';
import { buildRunRecord, type Scenario } from '../test/builders/runRecord';

const root = path.resolve(import.meta.dirname, '..');
const portWanted = Number(process.env['PORT'] ?? 4780);

const scenarios: Scenario[] = ['wobbles', 'steady', 'undecided', 'cancelled', 'failed', 'empty'];
const records = new Map<string, () => RunRecord>(
  scenarios.map((scenario) => [scenario, () => buildRunRecord({ scenario })]),
);
const sample = path.join(root, 'media/sampleReport.json');
for (const file of [...(existsSync(sample) ? [sample] : []), ...process.argv.slice(2)]) {
  records.set(path.basename(file), () => runRecordSchema.parse(JSON.parse(readFileSync(file, 'utf8'))));
}

async function assets() {
  const { outputFiles } = await build({
    absWorkingDir: root,
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'iife',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    entryPoints: { report: 'webview/main.tsx' },
    outdir: 'dist/webview',
  });
  const textOf = (extension: string) => outputFiles.find((file) => file.path.endsWith(extension))?.text ?? '';
  return {
    script: textOf('.js'),
    css: textOf('.css'),
    sha256: (text: string) => createHash('sha256').update(text).digest('base64'),
  };
}

const server = createServer((request, response) => {
  const name = decodeURIComponent((request.url ?? '/').slice(1));
  const record = records.get(name);
  response.setHeader('content-type', 'text/html; charset=utf-8');
  if (record) {
    assets()
      .then((built) => response.end(toHtml(record(), built)))
      .catch((error: unknown) => response.writeHead(500).end(String(error)));
    return;
  }
  response.statusCode = name === '' ? 200 : 404;
  const links = [...records.keys()].map((key) => `<li><a href="/${encodeURIComponent(key)}">${key}</a></li>`);
  response.end(
    `<!DOCTYPE html><title>Evenkeel pages</title><h1>Recorded runs</h1><ul>${links.join('')}</ul>`,
  );
});
server.listen(portWanted, '127.0.0.1', () => {
  console.log(`The report page: http://127.0.0.1:${portWanted}/`);
});
