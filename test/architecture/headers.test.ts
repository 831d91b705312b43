/** A comment about a whole file stands above its imports (docs/style.md). Below them, readers take it for a comment about the next declaration. */
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');

/** Matches a block comment below the imports that no declaration follows at once, or that is not a doc comment. */
const DISPLACED = /^(?:import [^;]*;\n)+\n(?:\/\*(?!\*)|\/\*\*(?:[^*]|\*(?!\/))*\*\/\n\n)/;

it('the comment about a file stands above its imports', () => {
  const files = globSync('{packages/*/src,packages/*/payouts-view,test,bench}/**/*.{ts,tsx}', { cwd: ROOT });
  expect(files.length).toBeGreaterThan(1_000);
  expect(files.filter((file) => DISPLACED.test(readFileSync(resolve(ROOT, file), 'utf8')))).toEqual([]);
});

it.each([
  "import { a } from './a.ts';\n\n/* All of this file. */\n\nexport const b = a;\n",
  "import { a } from './a.ts';\n\n/**\n * All of this file.\n */\n\nexport const b = a;\n",
])('is reported below them: %j', (planted) => {
  expect(planted).toMatch(DISPLACED);
});
