import { startChild } from './childHandle';

/**
 * Loads the native part in a child process, as a check does, and ends it again: about half a second.
 * @returns its name and version. @throws UserError `nativePartMissing` with the cause
 */
export async function probeNativePart(childPath: string): Promise<string> {
  const child = startChild(childPath);
  try {
    return (await child.request({ type: 'probe' })) as string;
  } finally {
    await child.kill();
  }
}
