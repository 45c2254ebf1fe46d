import { execFileSync } from 'node:child_process';

/** Hosts of the package registries that this machine is set up for: an organisation's mirror must not leak either. */
export function ownRegistryHosts(): string[] {
  const settings = [
    ['npm', ['config', 'get', 'registry']],
    ['pip', ['config', 'get', 'global.index-url']],
    ['go', ['env', 'GOPROXY']],
  ] as const;
  return settings.flatMap(([command, args]) => {
    const hosts = [...read(command, args).matchAll(/https?:\/\/(?:[^@/\s]*@)?([\w.-]+)/g)].map(
      (match) => match[1]!,
    );
    return hosts.filter((host) => host.includes('.') && !/^127\./.test(host));
  });
}

function read(command: string, args: readonly string[]): string {
  try {
    return execFileSync(command, args, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      shell: process.platform === 'win32',
    });
  } catch {
    // Not installed or not set: nothing to leak.
    return '';
  }
}
