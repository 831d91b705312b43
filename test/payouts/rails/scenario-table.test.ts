/** The table of docs/payout-scenarios.md says which tests there are. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { RAILS } from './merchant.ts';
import { STORIES } from './stories.ts';

const ROOT = new URL('../../..', import.meta.url).pathname;
const SCENARIOS = 40;

const table = readFileSync(join(ROOT, 'docs/payout-scenarios.md'), 'utf8')
  .split('\n')
  .flatMap((line) => {
    const [, number, title = '', ...cells] = line.split('|').map((cell) => cell.trim());
    return /^\d+$/.test(number ?? '') ? [{ number: Number(number), title, cells: cells.slice(0, 3), notes: cells[3]! }] : [];
  });

const testsIn = (notes: string) => [...notes.matchAll(/`([\w/.-]+\.test\.ts)`: (.+?)(?=; `|$)/g)];

it('has each of the scenarios once', () => {
  expect(table.map(({ number }) => number)).toEqual(Array.from({ length: SCENARIOS }, (_, at) => at + 1));
});

it.each(table)('$number: says “story” where there is one, and names a test or a reason elsewhere', ({ number, cells, notes }) => {
  const stories = STORIES.filter(({ numbers }) => numbers.includes(number));
  const told = RAILS.map(({ kind }) => stories.some(({ not }) => not?.[kind] === undefined));
  expect(cells.map((cell) => cell === 'story')).toEqual(told);
  const others = cells.filter((cell) => cell !== 'story');
  expect(others.filter((cell) => cell !== 'test' && cell !== '–')).toEqual([]);
  expect(others.includes('test') && testsIn(notes).length === 0).toBe(false);
  expect(others.includes('–') && !/^[A-Z]/.test(notes)).toBe(false);
});

it.each(table.flatMap(({ notes }) => testsIn(notes)).map(([, file, title]) => ({ file, title })))(
  '$file has the test “$title”',
  ({ file, title }) => {
    expect(readFileSync(join(ROOT, 'test', file!), 'utf8').replaceAll("\\'", "'")).toContain(title);
  },
);
