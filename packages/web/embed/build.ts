/**
 * Builds the loader of the embedded portal out of embed.ts, into packages/rest/src/embedding, which serves it. The result is committed, like
 * the tracking script. test/portal/embed.test.ts compares the two.
 *
 *   node packages/web/embed/build.ts
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { minify } from 'terser';

const TARGET = join(import.meta.dirname, '../../rest/src/embedding');

/** Makes the minified loader. */
export async function buildLoader(): Promise<string> {
  const source = readFileSync(join(import.meta.dirname, 'embed.ts'), 'utf8');
  // In a block, so that the page gets no variables.
  const { code } = await minify(`{${stripTypeScriptTypes(source)}}`, { ecma: 2020, compress: { passes: 2 } });
  return `${code!}\n`;
}

if (import.meta.main) {
  mkdirSync(TARGET, { recursive: true });
  writeFileSync(join(TARGET, 'embed.js'), await buildLoader());
}
