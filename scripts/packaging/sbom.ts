import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import type { ShippedPackage } from './thirdParty';

interface Component {
  'bom-ref': string;
  type: string;
  name: string;
  version?: string;
  scope?: string;
  properties?: { name: string; value: string }[];
  [key: string]: unknown;
}
interface Bom {
  serialNumber?: string;
  metadata: {
    timestamp: string;
    component: Component;
    lifecycles?: { phase: string }[];
    [key: string]: unknown;
  };
  components: Component[];
  dependencies: { ref: string; dependsOn?: string[] }[];
  [key: string]: unknown;
}

/** Everything that package-lock.json names, as npm writes it (CycloneDX 1.5). */
export async function npmBom(root: string): Promise<Bom> {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const { stdout } = await promisify(execFile)(
    npm,
    ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'],
    { cwd: root, maxBuffer: 1 << 26, shell: process.platform === 'win32' },
  );
  return JSON.parse(stdout) as Bom;
}

/**
 * The bill of materials of one package: of npm's list what ships, and the sentence encoder. Same input, same bytes: its date
 * is that of the package, and its number comes from what it says.
 * @throws Error when something ships that package-lock.json does not name
 */
export function shippedBom(
  all: Bom,
  shipped: ShippedPackage[],
  request: { name: string; encoderSha256: string; epochSeconds: number },
): string {
  const idsOf = (one: { name: string; version?: string }) => `${one.name}@${one.version ?? ''}`;
  const wanted = new Set(shipped.map(idsOf));
  const components = all.components
    .filter((component) => wanted.has(idsOf(component)))
    .map(({ properties, ...component }) => ({
      ...component,
      scope: 'required',
      // It is a development dependency of the source, and part of the package.
      ...(properties === undefined || properties.length === 0
        ? {}
        : { properties: properties.filter(({ name }) => !name.startsWith('cdx:npm:package:')) }),
    }));
  const named = new Set(components.map(idsOf));
  const missing = [...wanted].filter((id) => !named.has(id));
  if (missing.length > 0) throw new Error(`package-lock.json does not name ${missing.join(', ')}`);
  const encoder: Component = {
    'bom-ref': 'all-MiniLM-L6-v2',
    type: 'machine-learning-model',
    name: 'all-MiniLM-L6-v2',
    scope: 'required',
    hashes: [{ alg: 'SHA-256', content: request.encoderSha256 }],
    licenses: [{ license: { id: 'Apache-2.0' } }],
  };
  const top = all.metadata.component['bom-ref'];
  const refs = new Set([top, ...components.map((component) => component['bom-ref'])]);
  const { serialNumber: _random, ...rest } = all;
  const bom = {
    ...rest,
    metadata: {
      ...all.metadata,
      timestamp: new Date(request.epochSeconds * 1000).toISOString(),
      lifecycles: [{ phase: 'build' }],
      // npm takes the name of the folder.
      component: { ...all.metadata.component, type: 'application', name: request.name },
    },
    components: [...components, encoder],
    dependencies: all.dependencies
      .filter(({ ref }) => refs.has(ref))
      .map(({ ref, dependsOn = [] }) => ({
        ref,
        dependsOn: [...dependsOn.filter((to) => refs.has(to)), ...(ref === top ? ['all-MiniLM-L6-v2'] : [])],
      })),
  };
  const { $schema, bomFormat, specVersion, ...body } = bom as typeof bom & Record<string, unknown>;
  const serialNumber = `urn:uuid:${uuidOf(JSON.stringify(bom))}`;
  return `${JSON.stringify({ $schema, bomFormat, specVersion, serialNumber, ...body }, null, 2)}\n`;
}

/** A UUID of version 8 (RFC 9562: bits of one's own), from a text. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  const variant = ((parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
