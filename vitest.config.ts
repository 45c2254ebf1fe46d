import { defineConfig } from 'vitest/config';

/** One project per suite; scripts/test.mjs runs them in order and adds up their counts. */
const suite = (name: string, include: string[], timeoutMs: number, serial = false) => ({
  test: {
    name,
    include,
    testTimeout: timeoutMs,
    hookTimeout: timeoutMs,
    ...(serial ? { fileParallelism: false } : {}),
  },
});

export default defineConfig({
  test: {
    projects: [
      suite('unit', ['src/**/*.test.ts', 'webview/**/*.test.{ts,tsx}', 'test/guards/**/*.test.ts'], 60_000),
      suite('oracles', ['test/oracles/**/*.test.ts'], 120_000),
      suite('engine', ['test/engine/**/*.test.ts'], 120_000),
      suite('faults', ['test/faults/**/*.test.ts'], 60_000),
      suite('contract', ['test/contract/**/*.test.ts'], 240_000, true),
      suite('webview', ['test/webview/**/*.test.ts'], 120_000, true),
      suite('cli', ['test/cli/**/*.test.ts'], 300_000, true),
      suite('packages', ['test/packages/**/*.test.ts'], 300_000, true),
      suite('vscode', ['test/vscode/**/*.test.ts'], 600_000, true),
    ],
  },
});
