import { open, stat } from 'node:fs/promises';

/** Bytes in a file; 0 when there is none. */
export const sizeOf = async (file: string) => (await stat(file).catch(() => null))?.size ?? 0;

export interface PartFile {
  /** Appends all of `chunk`; returns the bytes in the file now. */
  append(chunk: Uint8Array): Promise<number>;
  close(): Promise<void>;
}

/** Opens a part file to go on at `position`; 0 begins it anew. */
export async function openPart(partPath: string, position: number): Promise<PartFile> {
  const file = await open(partPath, position > 0 ? 'r+' : 'w', 0o600);
  return {
    async append(chunk) {
      // A nearly full disk takes less than it is given, and fails at the next call.
      for (let done = 0; done < chunk.length;) {
        const { bytesWritten } = await file.write(chunk, done, chunk.length - done, position);
        done += bytesWritten;
        position += bytesWritten;
      }
      return position;
    },
    close: () => file.close(),
  };
}
