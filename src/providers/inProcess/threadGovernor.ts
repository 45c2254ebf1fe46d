/**
 * How many threads to compute with. ggml's threads wait for each other in spinning barriers: one thread more than
 * there are free cores, and throughput falls to a tenth. So it watches what other processes use and leaves that free.
 */
import { readFileSync } from 'node:fs';
import os from 'node:os';

/** Busy and total CPU time of the machine, and this process's own, in milliseconds. */
export interface CpuTimes {
  busyMs: number;
  wallMs: number;
  ownMs: number;
}

export function readCpuTimes(): CpuTimes {
  let busyMs = 0;
  for (const { times } of os.cpus()) busyMs += times.user + times.nice + times.sys + times.irq;
  const own = process.cpuUsage();
  return { busyMs, wallMs: performance.now(), ownMs: (own.user + own.system) / 1000 };
}

/** CPUs that a container may use (cgroup v2), Infinity without a limit. */
export function cpuQuota(): number {
  try {
    const [quota, period] = readFileSync('/sys/fs/cgroup/cpu.max', 'utf8').trim().split(' ').map(Number);
    return quota && period ? Math.max(1, quota / period) : Infinity;
  } catch {
    return Infinity;
  }
}

/**
 * @param cores most threads that make sense here
 * @param readTimes injected so that load can be simulated
 * @returns `threads()`, cheap to call at every step: it looks at the machine once per `intervalMs`.
 */
export function createThreadGovernor({
  cores,
  machineCores,
  readTimes,
  intervalMs = 1000,
}: {
  cores: number;
  machineCores: number;
  readTimes: () => CpuTimes;
  intervalMs?: number;
}) {
  let last = readTimes();
  let threads = Math.max(1, cores - 1);
  return {
    threads(): number {
      const now = readTimes();
      const wallMs = now.wallMs - last.wallMs;
      if (wallMs < intervalMs) return threads;
      const foreignCores = Math.max(0, now.busyMs - last.busyMs - (now.ownMs - last.ownMs)) / wallMs;
      // A fifth of a core is the editor blinking its cursor; more than that is somebody's work.
      threads = Math.max(1, Math.min(cores, Math.floor(machineCores - foreignCores + 0.2)));
      last = now;
      return threads;
    },
  };
}
