import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildPackage } from './build-package.ts';

const PACKAGES = new URL('../../', import.meta.url);

/** Modules of the client that the SDK contains, too. */
const SHARED = ['portal-frame.ts', 'retrying-fetch.ts'];

/**
 * Builds `@affiliate/sdk` into packages/sdk/dist, and returns the path of that folder.
 *
 *   node packages/generator/src/build-sdk.ts && npm pack ./packages/sdk/dist
 */
export function buildSdk(): string {
  return buildPackage(fileURLToPath(new URL('sdk', PACKAGES)), {
    exports: { '.': 'index', './express': 'express', './hono': 'hono', './next': 'next', './react': 'react' },
    // The package has no dependencies, so it contains the modules that it shares with the client and the pages.
    modules: Object.fromEntries(SHARED.map((name) => [name, readFileSync(new URL(`client/src/${name}`, PACKAGES), 'utf8')])),
  });
}

if (import.meta.main) buildSdk();
