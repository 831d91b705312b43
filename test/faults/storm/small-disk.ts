import { execFile } from 'node:child_process';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** Enough for the database and its write-ahead log. */
const SIZE = '1g';
/** Sizes of the writes that fill the disk. The small ones fill the space that is left by the large ones. */
const PIECES = [1 << 20, 4_096];

/** A file system of limited size. */
export interface SmallDisk {
  /** Fills all free space. */
  fill(): Promise<void>;
  /** Frees the filled space. */
  free(): Promise<void>;
  unmount(): Promise<void>;
}

/** Mounts a file system of limited size at a directory. Returns null if mounting is not permitted. */
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
    // Unmounts lazily, because PostgreSQL's last process may still be exiting.
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
