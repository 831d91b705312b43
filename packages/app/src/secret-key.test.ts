import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { OperatorError } from './errors.ts';
import { loadOrCreateSecretKey } from './secret-key.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'affiliate-key-'));
});
afterEach(() => rm(directory, { recursive: true }));

it('generates one key for concurrent and later callers', async () => {
  const keys = await Promise.all(Array.from({ length: 8 }, () => loadOrCreateSecretKey(directory)));
  expect(new Set([...keys, await loadOrCreateSecretKey(directory)]).size).toBe(1);
  expect(keys[0]).toMatch(/^[\w-]{43}$/);
  expect((await stat(join(directory, 'secret-key'))).mode & 0o777).toBe(0o600);
});

it('refuses an empty file', async () => {
  await writeFile(join(directory, 'secret-key'), '\n');
  await expect(loadOrCreateSecretKey(directory)).rejects.toThrow(OperatorError);
});
