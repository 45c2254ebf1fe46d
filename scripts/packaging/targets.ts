/** Platforms with a package of their own, and the npm package that holds their build of llama.cpp. */
export const BINARY_PACKAGES = {
  'linux-x64': '@node-llama-cpp/linux-x64',
  'linux-arm64': '@node-llama-cpp/linux-arm64',
  'darwin-arm64': '@node-llama-cpp/mac-arm64-metal',
  'darwin-x64': '@node-llama-cpp/mac-x64',
  'win32-x64': '@node-llama-cpp/win-x64',
} as const;

export type Target = keyof typeof BINARY_PACKAGES;

/** The date of every file in a package, in seconds: the one that npm pack writes, unless SOURCE_DATE_EPOCH says another. */
export function packageEpochSeconds(env: NodeJS.ProcessEnv): number {
  const given = Number(env['SOURCE_DATE_EPOCH']);
  return env['SOURCE_DATE_EPOCH'] !== undefined && Number.isInteger(given) && given > 0
    ? given
    : Date.UTC(1985, 9, 26, 8, 15) / 1000;
}
