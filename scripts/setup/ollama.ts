/** A real Ollama server with tiny real models for tests and benches, built from its Go module, and how to run it. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';

interface OllamaInstall {
  binary: string;
  modelsDir: string;
  /** smollm2 instructs; gemma3 is a base model; fewshot answers in one word with gemma3's weights. */
  models: readonly string[];
}

const MODELS = ['smollm2:135m', 'gemma3:270m', 'gemma3-fewshot:270m'] as const;
const BUILD_LIMIT_MS = 30 * 60_000;

const installDir = () =>
  path.join(process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache'), 'evenkeel-dev', 'ollama');

/**
 * Builds what is missing (about 5 minutes once, nothing later) into the person's cache. Without the tools or the
 * downloads it says why, in one line.
 */
export function ensureOllama(): { install: OllamaInstall } | { missing: string } {
  const dir = installDir();
  const install = {
    binary: path.join(dir, 'bin', 'ollama'),
    modelsDir: path.join(dir, 'models'),
    models: MODELS,
  };
  const stamp = path.join(dir, 'complete');
  const script = path.join(import.meta.dirname, 'installOllama.sh');
  // The script is what decides; its text in the stamp makes a changed script run again.
  const recipe = readFileSync(script, 'utf8');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === recipe && existsSync(install.binary))
    return { install };

  if (process.platform === 'win32')
    return { missing: 'Ollama is built by a bash script, which Windows lacks' };
  const absent = ['bash', 'go', 'gcc', 'g++', 'python3'].filter(
    (tool) => spawnSync('sh', ['-c', `command -v ${tool}`]).status !== 0,
  );
  if (absent.length > 0 && !existsSync(install.binary))
    return { missing: `Ollama cannot be built here: ${absent.join(', ')} not found` };
  mkdirSync(dir, { recursive: true });
  // Its progress belongs to people, not to the standard output of whoever called.
  const built = spawnSync('bash', ['-c', '"$0" "$1" && cat "$0" > "$1/complete"', script, dir], {
    stdio: ['ignore', 2, 2],
    timeout: BUILD_LIMIT_MS,
  });
  if (built.status !== 0)
    return { missing: `building Ollama failed (${built.signal ?? `status ${built.status}`})` };
  return { install };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}

export interface RunningOllama {
  baseUrl: string;
  /** Ends the server and its model runners; safe to call twice. */
  stop(): Promise<void>;
}

/**
 * Starts a server of its own on a free loopback port: one request at a time (seeds repeat only so), no cloud, no
 * writing into the person's home. Ends with this process at the latest. `contextTokens`: for requests that name none.
 */
export async function startOllama(
  install: OllamaInstall,
  options: { contextTokens?: number } = {},
): Promise<RunningOllama> {
  const home = mkdtempSync(path.join(tmpdir(), 'evenkeel-ollama-'));
  const baseUrl = `http://127.0.0.1:${await freePort()}`;
  const server = spawn(install.binary, ['serve'], {
    // A group of its own: model runners are children of the server and must go with it.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      PATH: process.env.PATH,
      HOME: home,
      OLLAMA_HOST: baseUrl.slice('http://'.length),
      OLLAMA_MODELS: install.modelsDir,
      OLLAMA_NO_CLOUD: '1',
      OLLAMA_NUM_PARALLEL: '1',
      OLLAMA_NOPRUNE: '1',
      OLLAMA_KEEP_ALIVE: '20m',
      ...(options.contextTokens ? { OLLAMA_CONTEXT_LENGTH: String(options.contextTokens) } : {}),
    },
  });
  let log = '';
  server.stderr.setEncoding('utf8').on('data', (text: string) => (log = (log + text).slice(-4000)));
  const ended = new Promise<void>((resolve) => server.once('close', () => resolve()));
  const kill = (signal: NodeJS.Signals) => {
    try {
      if (server.pid) process.kill(-server.pid, signal);
    } catch {
      // The group is gone.
    }
  };
  const killNow = () => kill('SIGKILL');
  process.once('exit', killNow);
  const stop = async () => {
    kill('SIGTERM');
    const last = setTimeout(killNow, 3000);
    await ended;
    clearTimeout(last);
    killNow();
    process.removeListener('exit', killNow);
    rmSync(home, { recursive: true, force: true });
  };
  for (let waitedMs = 0; waitedMs < 30_000 && server.exitCode === null; waitedMs += 100) {
    const up = await fetch(`${baseUrl}/api/version`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (up) return { baseUrl, stop };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await stop();
  throw new Error(`Ollama did not start: ${log.trim().split('\n').slice(-3).join(' | ')}`);
}
