/**
 * Builds track.js, the tracking script, from track.ts. packages/rest serves it from src/tracking. The built files are committed, so that a
 * service that runs from its sources needs no build step. test/rest/tracking-script.test.ts checks that they match track.ts.
 *
 *   node packages/web/track/build.ts
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { minify } from 'terser';

const SOURCE = join(import.meta.dirname, 'track.ts');
const TARGET = join(import.meta.dirname, '../../rest/src/tracking');

/** Returns the minified script and its source map. */
export async function buildTrackingScript(): Promise<{ script: string; map: string }> {
  const source = readFileSync(SOURCE, 'utf8');
  // Types are replaced by white space, so that the source map points to the right lines of track.ts.
  const { code, map } = await minify(
    { 'track.ts': stripTypeScriptTypes(source) },
    {
      ecma: 2020,
      toplevel: true,
      compress: { passes: 3, inline: false, pure_getters: true, unsafe_arrows: true },
      mangle: { toplevel: true, properties: { regex: /^_/ } },
      // A response header names the source map. A comment in the script would be downloaded by every visitor.
      sourceMap: { filename: 'track.js' },
    },
  );
  const { mappings, names, sources, version } = JSON.parse(map as string) as Record<string, unknown>;
  return {
    script: code!,
    map: `${JSON.stringify({ version, file: 'track.js', sources, sourcesContent: [source], names, mappings })}\n`,
  };
}

if (import.meta.main) {
  const { script, map } = await buildTrackingScript();
  writeFileSync(join(TARGET, 'track.js'), script);
  writeFileSync(join(TARGET, 'track.js.map'), map);
}
