/**
 * Builds embed.js, the loader of the embedded portal, from embed.ts and the module that it shares with the SDK. packages/rest serves it from src/embedding. The built file is
 * committed, and test/portal/embed.test.ts checks that it matches embed.ts.
 *
 *   node packages/web/embed/build.ts
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { minify } from 'terser';

const TARGET = join(import.meta.dirname, '../../rest/src/embedding');

/** Returns the minified loader. */
export async function buildLoader(): Promise<string> {
  const loader = readFileSync(join(import.meta.dirname, 'embed.ts'), 'utf8');
  const shared = readFileSync(new URL(import.meta.resolve('@affiliate/client/portal-frame')), 'utf8');
  // One script contains both, so neither imports nor exports remain.
  const source = `${shared.replaceAll(/^export /gm, '')}${loader.replaceAll(/^import [^;]*;$/gm, '')}`;
  // The function keeps the loader's names out of the page's global scope.
  const { code } = await minify(`(()=>{${stripTypeScriptTypes(source)}})()`, { ecma: 2020, compress: { passes: 2 } });
  return `${code!}\n`;
}

if (import.meta.main) {
  mkdirSync(TARGET, { recursive: true });
  writeFileSync(join(TARGET, 'embed.js'), await buildLoader());
}
