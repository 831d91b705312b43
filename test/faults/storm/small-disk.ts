import { execFile } from 'node:child_process';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** Room for the database and its log. */
const SIZE = '1g';
/** The smaller pieces fill what larger ones leave. */
const PIECES = [1 << 20, 4_096];

/** A file system of limited size. */
export interface SmallDisk {
  /** Takes all space that is left. */
  fill(): Promise<void>;
  /** Gives it back. */
  free(): Promise<void>;
  unmount(): Promise<void>;
}

/** Mounts a file system of limited size at a directory. Null where that is not allowed. */
export async function mountSmallDisk(directory: string): Promise<SmallDisk | null> {
  const isMounted = await run('mount', ['-t', 'tmpfs', '-o', `size=${SIZE},mode=0711`, 'tmpfs', directory]).then(
    () => true,
    () => false,
  );
  if (!isMounted) return null;
  const filler = join(directory, 'filler');
  return {
    fill: async () => {
      const file = await open(filler, 'w');
      try {
        for (const size of PIECES) await writeUntilFull(file, Buffer.alloc(size));
      } finally {
        await file.close();
      }
    },
    free: () => rm(filler),
    // Lazily: PostgreSQL's last process may still be ending.
    unmount: async () => void (await run('umount', ['--lazy', directory])),
  };
}

async function writeUntilFull(file: FileHandle, piece: Buffer): Promise<void> {
  try {
    for (;;) await file.write(piece);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}
