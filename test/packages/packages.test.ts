/** The packages themselves: same bytes twice, nothing in them but what ships, its notices and its bill of materials. */
import { createHash } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { filesOf, makePackages, newFolder, root, type Packages } from './makePackages';

const [first, second] = [newFolder('packages'), newFolder('packages-again')];
let packages: Packages;
beforeAll(async () => {
  packages = await makePackages(first);
});
afterAll(() => {
  for (const folder of [first, second]) rmSync(folder, { recursive: true, force: true });
});

const sha256 = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');

it('two builds write the same bytes, in another time zone and under another mask', async () => {
  const again = await makePackages(second, { env: { TZ: 'Asia/Tokyo' }, umask: '077' });
  for (const kind of ['tarball', 'vsix', 'universal'] as const) {
    expect({ kind, sha256: sha256(again[kind]) }).toEqual({ kind, sha256: sha256(packages[kind]) });
  }
});

it('packaging warns of nothing and prints every size with its budget', () => {
  expect(packages.output).not.toMatch(/warn/i);
  for (const name of ['editor.cjs', 'report.js', '.tgz', 'linux-x64']) {
    expect(packages.output).toMatch(new RegExp(`${name}.* MB|${name}.* kB of .*B`));
  }
});

describe.each(['tarball', 'vsix', 'universal'] as const)('the %s', (kind) => {
  let files: Map<string, string | null>;
  beforeAll(async () => {
    files = await filesOf(packages[kind]);
  });
  const names = () => [...files.keys()];

  it('holds what runs and what is read, and no source, map, test or path of this machine', () => {
    expect(names()).toEqual(
      expect.arrayContaining(['dist/statsWorker.cjs', 'media/models/minilm-l6-v2-w8.onnx', 'package.json']),
    );
    expect(names().filter((name) => /\.(map|tsx?|meta\.json)$|(^|\/)(test|src)\//.test(name))).toEqual([]);
    for (const [name, text] of files)
      expect({ name, leaks: text?.includes(root) ?? false }).toEqual({ name, leaks: false });
    const native = names().filter((name) => name.endsWith('.node'));
    expect(native.length > 0).toBe(kind === 'vsix');
  });

  it('its package.json asks npm for nothing that is bundled', () => {
    const manifest = JSON.parse(files.get('package.json')!) as Record<string, unknown>;
    expect(manifest).not.toHaveProperty('devDependencies');
    expect(manifest).not.toHaveProperty('scripts');
    expect(Object.keys((manifest['dependencies'] ?? {}) as object)).toEqual(
      kind === 'tarball' ? ['node-llama-cpp'] : [],
    );
  });

  it('notices and bill of materials name the same packages, each notice with its licence', () => {
    // A licence text may hold headings of its own.
    const notices = [
      ...files.get('THIRD_PARTY_NOTICES.md')!.matchAll(/^## (.+)\n\n.*\n\n~~~~text\n([\s\S]+?)\n~~~~$/gm),
    ].map(([, name, text]) => ({ name: name!.replace(' (media/models)', ''), text: text! }));
    expect(notices.filter(({ text }) => text.length < 30)).toEqual([]);
    const noticed = notices.map(({ name }) => name);
    const bom = JSON.parse(files.get('sbom.cdx.json')!) as {
      components: { name: string; version?: string; hashes?: unknown[]; scope: string }[];
    };
    const listed = bom.components.map(
      ({ name, version }) => `${name}${version === undefined ? '' : ` ${version}`}`,
    );
    expect(listed.sort()).toEqual(noticed.sort());
    expect(noticed).toEqual(
      expect.arrayContaining([expect.stringMatching(/^zod /), expect.stringMatching(/^onnxruntime-web /)]),
    );
    expect(noticed.some((name) => name.startsWith('node-llama-cpp '))).toBe(kind !== 'universal');
    expect(noticed.some((name) => name.startsWith('vitest '))).toBe(false);
    expect(bom.components.every(({ scope, hashes }) => scope === 'required' && hashes!.length > 0)).toBe(
      true,
    );
  });

  it('its bill of materials is valid CycloneDX 1.5', () => {
    const validate = cycloneDx();
    const bom = JSON.parse(files.get('sbom.cdx.json')!) as object;
    validate(bom);
    expect(validate.errors).toBeNull();
    expect(validate({ ...bom, specVersion: 5 })).toBe(false);
  });
});

/** The published schema, as it lies in CycloneDX's own library. */
function cycloneDx() {
  const schema = (name: string) =>
    JSON.parse(
      readFileSync(
        path.join(root, `node_modules/@cyclonedx/cyclonedx-library/res/schema/${name}.SNAPSHOT.schema.json`),
        'utf8',
      ),
    ) as object;
  const ajv = new Ajv({ strict: false });
  for (const name of ['spdx', 'jsf-0.82'])
    ajv.addSchema(schema(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
  addFormats(ajv);
  ajv.addFormat('iri-reference', true).addFormat('idn-email', true);
  return ajv.compile(schema('bom-1.5'));
}
