import manifest from '../package.json' with { type: 'json' };

declare global {
  /** Commit of the sources of a production build. `build.ts` replaces this name by the commit. */
  var AFFILIATE_COMMIT: string | undefined;
}

/** The build that runs: the version, and the commit of a production build. Null if the process runs the sources themselves. */
export const BUILD = { version: manifest.version, commit: globalThis.AFFILIATE_COMMIT ?? null } as const;

/** Name of the build that runs, e.g. `0.2.0 (4f2a91c07d3e)`. */
export const BUILD_NAME = `${BUILD.version} (${BUILD.commit ?? 'sources'})`;

/** Says that this build can neither use nor upgrade a schema, and what to do, in one line. `builtBy` is null if the build left no name. */
export function otherSchema(builtBy: string | null, migration: string): string {
  const builder = builtBy === BUILD_NAME ? `${builtBy}, but with other sources` : (builtBy ?? 'a build that left no name');
  return (
    `It has the schema of another build: ${builder} (${migration}). This build is ${BUILD_NAME} and cannot upgrade it. Nothing was changed. ` +
    'Use the build that made it, or start anew with an empty database or another DATA_DIR.'
  );
}

/** Says that a later build has changed the schema, and that this build leaves the schema as it is. */
export function newerSchema(builtBy: string | null, unknown: readonly string[]): string {
  return (
    `A newer build has changed the schema: ${builtBy ?? 'a build that left no name'} (${unknown.join(', ')}). ` +
    `This build is ${BUILD_NAME}. It leaves the schema as it is. Only the build before the newer one works with this schema.`
  );
}
