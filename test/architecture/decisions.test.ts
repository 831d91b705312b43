import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const FOLDER = `${ROOT}/docs/decisions`;
const index = readFileSync(`${FOLDER}/README.md`, 'utf8');
const files = globSync('0*.md', { cwd: FOLDER }).toSorted();

describe.each(files)('docs/decisions/%s', (file) => {
  const text = readFileSync(`${FOLDER}/${file}`, 'utf8');

  it('names only existing files and folders', () => {
    const named = [...text.matchAll(/`((?:packages|test|bench|docs|examples)\/[\w./-]+)`/g)].map(([, path]) => path!);
    expect(named.filter((path) => globSync(path, { cwd: ROOT }).length === 0)).toEqual([]);
  });
});

describe('docs/decisions/README.md', () => {
  it('lists every decision exactly once', () => {
    const listed = [...index.matchAll(/\]\((0\d{3}-[\w-]+\.md)\)/g)].map(([, file]) => file!);
    expect(files.length).toBeGreaterThan(15);
    expect(listed).toEqual(files);
  });
});
