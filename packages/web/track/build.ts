/**
 * Builds the tracking script out of track.ts, into packages/rest/src/tracking, which serves it. The result is committed: a service that
 * runs from its sources needs no build for it. test/rest/tracking-script.test.ts compares the two.
 *
 *   node packages/web/track/build.ts
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { minify } from 'terser';

const SOURCE = join(import.meta.dirname, 'track.ts');
const TARGET = join(import.meta.dirname, '../../rest/src/tracking');

/** Makes the minified script and its source map. */
export async function buildTrackingScript(): Promise<{ script: string; map: string }> {
  const source = readFileSync(SOURCE, 'utf8');
  // Types become white space, so that the map leads to the lines of the source.
  const { code, map } = await minify(
    { 'track.ts': stripTypeScriptTypes(source) },
    {
      ecma: 2020,
      toplevel: true,
      compress: { passes: 3, inline: false, pure_getters: true, unsafe_arrows: true },
      mangle: { toplevel: true, properties: { regex: /^_/ } },
      // Named by a header of the response, not by a comment that every visitor would load.
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
