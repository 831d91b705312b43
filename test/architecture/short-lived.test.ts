import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';

const PACKAGES = resolve(import.meta.dirname, '../../packages');
const NEW_FUNCTION = /(?<!: typeof \w+)\.#?\w+ (?:\?\?|\|\|)?= (?:async )?(?:function\b|(?:\([^()]*\)|\w+) =>)/g;

const found = (text: string) => [...text.matchAll(NEW_FUNCTION)].map(([match]) => match);

// V8 creates such a function among old objects (bench/README.md#what-requests-leave-behind).
it('no property is given a new function, which would keep all that it refers to until a full garbage collection', () => {
  const files = globSync('{core,rest,postgres,worker,mcp,app}/src/**/*.ts', { cwd: PACKAGES }).filter(
    (file) => !file.endsWith('.test.ts'),
  );
  expect(files.length).toBeGreaterThan(500);
  expect(
    files.flatMap((file) => found(readFileSync(resolve(PACKAGES, file), 'utf8')).map((match) => `${file}: ${match}`)),
  ).toEqual([]);
});

it('finds functions of all forms', () => {
  const planted = [
    'state.check = () => check(response);',
    'this.#done = async (error) => {',
    'request.end ??= function () {',
    'x.y = z => z',
  ];
  expect(planted.flatMap(found)).toHaveLength(planted.length);
  expect(
    ['const check = () => true;', 'state.check = check;', 'a.b === (c)', 'const f: typeof a.b = () => 1'].flatMap(found),
  ).toEqual([]);
});
