import manifest from '../package.json' with { type: 'json' };

declare global {
  /** Commit of the sources of a production build. `build.ts` replaces this name by the commit. */
  var AFFILIATE_COMMIT: string | undefined;
}

/** The build that runs: the version, and the commit of a production build. Null if the process runs the sources themselves. */
export const BUILD = { version: manifest.version, commit: globalThis.AFFILIATE_COMMIT ?? null } as const;

/** Name of the build that runs, e.g. `0.2.0 (4f2a91c07d3e)`. */
export const BUILD_NAME = `${BUILD.version} (${BUILD.commit ?? 'sources'})`;
