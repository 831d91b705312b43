import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const sections = readFileSync(`${ROOT}/docs/walks.md`, 'utf8').split(/^## /m);

describe.each([
  'The walk of a request',
  'The walk from a sale to a paid payout',
  'The walk of an event',
  'The walk of an assistant’s call',
])('%s in docs/walks.md', (title) => {
  const section = sections.find((text) => text.replaceAll("'", '’').startsWith(`${title}\n`)) ?? '';
  // A step is a numbered line with its continuation lines.
  const steps = section.match(/^\d+\. .*(?:\n {3,}.*)*/gm) ?? [];

  it('has steps that are numbered in order', () => {
    expect(steps.length).toBeGreaterThan(5);
    expect(steps.map((step) => Number.parseInt(step, 10))).toEqual(steps.map((_, index) => index + 1));
  });

  it('names existing files in each step', () => {
    const named = steps.map((step) => [...step.matchAll(/`(packages\/[\w./-]+)`/g)].map(([, path]) => path!));
    expect(steps.filter((_, index) => named[index]!.length === 0)).toEqual([]);
    expect(named.flat().filter((path) => !existsSync(`${ROOT}/${path}`))).toEqual([]);
  });
});
