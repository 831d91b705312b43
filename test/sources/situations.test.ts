/** Every situation and every attack is told for every source: `tellStories` and `tellAttacks` hold it for each file of stories. */
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createSources } from '@affiliate/core';
import { expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(resolve(ROOT, file), 'utf8');

it.each([...createSources().keys()])('every situation and every attack of %s has its test', (kind) => {
  const files = [`${kind.replaceAll('_', '-')}.test.ts`, `${kind}-stories.test.ts`].map((name) => `test/sources/${name}`);
  for (const call of ['tellStories({', 'tellAttacks({'])
    expect(files.filter((file) => existsSync(resolve(ROOT, file)) && read(file).includes(call))).toHaveLength(1);
});
