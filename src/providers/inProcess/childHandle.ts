/** One forked child: requests with replies on the way, and a certain end. */
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Socket } from 'node:net';
import { UserError } from '../../contracts/userError';
import type { ChildMessage, ChildRequest, RawReply } from './childProtocol';

/** How the child ended without being asked to. */
export class ChildGone extends Error {
  constructor(
    reason: string,
    /** Last lines that it wrote to stderr. */
    readonly stderrTail: string,
  ) {
    super(reason);
  }
}

type Without<T, K extends string> = T extends unknown ? Omit<T, K> : never;
type Body = Without<Exclude<ChildRequest, { type: 'abort' }>, 'id'>;

export interface ChildHandle {
  /** Folder for the child's sequence states; gone when the child is gone. */
  readonly stateDir: string;
  alive(): boolean;
  stderrTail(): string;
  /** Rejects with UserError (the child's own), or ChildGone. `start` learns the id, for `abort`. */
  request(body: Body, onReply?: (reply: RawReply) => void, start?: (id: number) => void): Promise<unknown>;
  abort(id: number): void;
  /** Ends it at once; resolves when it and its folder are gone. */
  kill(): Promise<void>;
}

const STDERR_TAIL_CHARS = 4000;
const STDERR_GRACE_MS = 300;
const SHARED_MEMORY_MIN_BYTES = 512 * 1024 * 1024;

/** Only what a native library needs to start: no keys, no NODE_OPTIONS. */
const INHERITED = [
  'PATH',
  'HOME',
  'USERPROFILE',
  'SystemRoot',
  'windir',
  'TMPDIR',
  'TEMP',
  'TMP',
  'LANG',
  'LD_LIBRARY_PATH',
  'DYLD_LIBRARY_PATH',
];

/** Of mode 0700 and an unguessable name, as the folders around it are shared. */
function stateFolder(): string {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm');
    if (bavail * bsize > SHARED_MEMORY_MIN_BYTES)
      return mkdtempSync(`/dev/shm/evenkeel-state-${process.pid}-`);
  } catch {
    // Not Linux, or not for us.
  }
  return mkdtempSync(path.join(os.tmpdir(), `evenkeel-state-${process.pid}-`));
}

/**
 * Forks `childPath` with Node, also inside VS Code's extension host, whose executable is Electron.
 * The child ends itself when this process does.
 */
export function startChild(childPath: string, env: NodeJS.ProcessEnv = process.env): ChildHandle {
  const stateDir = stateFolder();
  const inherited = Object.fromEntries(INHERITED.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
  const child = fork(childPath, [], {
    execPath: process.execPath,
    execArgv: [],
    // Not the folder that happens to be open: it may be gone, and the child has no business there.
    cwd: path.dirname(childPath),
    env: { ...inherited, ELECTRON_RUN_AS_NODE: '1' },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const waiting = new Map<
    number,
    {
      resolve: (result: unknown) => void;
      reject: (error: Error) => void;
      onReply?: (reply: RawReply) => void;
    }
  >();
  let nextId = 0;
  let gone: ChildGone | null = null;
  let stderrTail = '';

  let resolveEnded: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (resolveEnded = resolve));
  const end = (reason: string) => {
    if (gone !== null) return;
    gone = new ChildGone(reason, stderrTail.trim());
    rmSync(stateDir, { recursive: true, force: true });
    for (const { reject } of waiting.values()) reject(gone);
    waiting.clear();
    resolveEnded();
  };
  /** An idle child must not keep the program running; a working one must. */
  const holdProcess = () => {
    const hold = waiting.size > 0;
    const stderr = child.stderr as Socket | null;
    for (const handle of [child, child.channel, stderr]) {
      if (hold) handle?.ref();
      else handle?.unref();
    }
  };

  child.stderr?.on('data', (chunk: Buffer) => {
    stderrTail = (stderrTail + chunk.toString()).slice(-STDERR_TAIL_CHARS);
  });
  child.on('error', (error) => end(`its process could not be started: ${error.message}`));
  const endedWith = (code: number | null, signal: string | null) =>
    end(signal === null ? `exit code ${code}` : `signal ${signal}`);
  // `close` comes when stderr has been read to its end; a grandchild that holds it open must not delay us.
  child.on('close', endedWith);
  child.on('exit', (code, signal) => void setTimeout(endedWith, STDERR_GRACE_MS, code, signal));
  child.on('message', (message: ChildMessage) => {
    const request = waiting.get(message.id);
    if (request === undefined) return;
    if (message.type === 'reply') {
      request.onReply?.(message.reply);
      return;
    }
    waiting.delete(message.id);
    holdProcess();
    if (message.type === 'done') request.resolve(message.result);
    else request.reject(new UserError(message.error.code, message.error.message, message.error.hint));
  });

  return {
    stateDir,
    alive: () => gone === null && child.connected,
    stderrTail: () => stderrTail.trim(),
    request(body, onReply, start) {
      if (gone !== null) return Promise.reject(gone);
      const id = nextId++;
      start?.(id);
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject, onReply });
        holdProcess();
        child.send({ ...body, id } as ChildRequest, (error) => {
          if (error !== null) child.kill('SIGKILL');
        });
      });
    },
    abort(id) {
      if (gone === null && child.connected) child.send({ type: 'abort', id });
    },
    kill() {
      // Held until it is gone, so that its folder does not outlive this process.
      if (gone === null) child.ref();
      child.kill('SIGKILL');
      return ended;
    },
  };
}
