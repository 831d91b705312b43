import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const FOLDER = `${ROOT}/docs/decisions`;
const index = readFileSync(`${FOLDER}/README.md`, 'utf8');
const files = globSync('0*.md', { cwd: FOLDER }).toSorted();

const FORMAT =
  /^# (\d+)\. (.+)\n\n- Status: (accepted|superseded by \[.+\]\(.+\))\n- Date: (\d{4}-\d{2}-\d{2})\n\n## Context\n\n[^]+\n\n## Decision\n\n[^]+\n\n## Consequences\n\n[^]+\n$/;

describe.each(files)('docs/decisions/%s', (file) => {
  const text = readFileSync(`${FOLDER}/${file}`, 'utf8');
  const [, number, title, status, date] = FORMAT.exec(text) ?? [];

  it('has a number, title, status, date, context, decision and consequences', () => {
    expect(text).toMatch(FORMAT);
    expect(text.match(/^#/gm)).toHaveLength(4);
    expect(Number(number)).toBe(Number(file.slice(0, 4)));
  });

  it('is listed in the index with its title, status and date', () => {
    expect(index).toContain(`| ${number} | [${title}](${file}) | ${status} | ${date} |`);
  });

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
