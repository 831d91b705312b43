import { readFile } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { generatedFiles } from '@affiliate/generator/generate';
import { expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');

it('the SDKs are generated from the current contract (run `pnpm generate` after a change)', async () => {
  const differing: string[] = [];
  for (const [path, text] of await generatedFiles())
    if ((await readFile(path, 'utf8').catch(() => null)) !== text) differing.push(relative(ROOT, path));
  expect(differing).toEqual([]);
});
