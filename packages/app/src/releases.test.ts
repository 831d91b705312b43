import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isNewer, newerVersion } from './releases.ts';

describe('the order of versions', () => {
  it.each([
    ['0.2.0', '0.1.9'],
    ['0.10.0', '0.9.0'],
    ['1.0.0', '0.99.99'],
    ['1.0.1', '1.0.0'],
    ['1.0.0', '1.0.0-rc.1'],
    ['1.0.0-rc.10', '1.0.0-rc.9'],
    ['1.0.1-rc.1', '1.0.0'],
  ])('%s is newer than %s', (newer, older) => {
    expect([isNewer(newer, older), isNewer(older, newer), isNewer(newer, newer)]).toEqual([true, false, false]);
  });
});

describe('the file of the newest version', () => {
  it.each([
    ['a newer version', '0.3.0\n', '0.3.0'],
    ['a newer tag', ' v0.3.0 ', '0.3.0'],
    ['the running version', '0.2.0\n', null],
    ['an older version', '0.1.0', null],
    ['nothing', '', null],
    ['a page of HTML', '<!doctype html><title>0.3.0</title>', null],
    ['two versions', '0.3.0\n0.4.0\n', null],
    ['bytes', Buffer.from([0xff, 0xfe, 0x00, 0x30]), null],
  ])('is read correctly if it contains %s', async (_, content, newer) => {
    await using directory = await mkdtempDisposable(join(tmpdir(), 'affiliate-newest-'));
    const file = join(directory.path, 'newest');
    await writeFile(file, content);
    expect(await newerVersion(file, '0.2.0')).toBe(newer);
  });

  it('may be missing, a directory, or not configured', async () => {
    await using directory = await mkdtempDisposable(join(tmpdir(), 'affiliate-newest-'));
    for (const file of [join(directory.path, 'none'), directory.path, undefined]) {
      expect(await newerVersion(file, '0.2.0')).toBeNull();
    }
  });
});
