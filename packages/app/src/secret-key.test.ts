import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { OperatorError } from './operator-error.ts';
import { generatedSecretKey } from './secret-key.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'affiliate-key-'));
});
afterEach(() => rm(directory, { recursive: true }));

it('makes one key, for all who ask at the same time and later', async () => {
  const keys = await Promise.all(Array.from({ length: 8 }, () => generatedSecretKey(directory)));
  expect(new Set([...keys, await generatedSecretKey(directory)]).size).toBe(1);
  expect(keys[0]).toMatch(/^[\w-]{43}$/);
  expect((await stat(join(directory, 'secret-key'))).mode & 0o777).toBe(0o600);
});

it('takes no empty file for a key', async () => {
  await writeFile(join(directory, 'secret-key'), '\n');
  await expect(generatedSecretKey(directory)).rejects.toThrow(OperatorError);
});
