import { expect, it } from 'vitest';
import { assertUsableDataDirectory } from './data-directory.ts';

it.each(['/proc/1/affiliate', '/proc/self/../affiliate/data', '/dev/null', '/dev/null/data'])(
  'a directory that cannot be used ends the start with one line: %s',
  async (dataDir) => {
    await expect(assertUsableDataDirectory(dataDir)).rejects.toThrow(/^DATA_DIR \S+ (is not a directory|cannot be written to)/);
  },
);
