import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildPackage } from './build-package.ts';

const PACKAGES = new URL('../../', import.meta.url);

/**
 * Builds `@affiliate/sdk` into packages/sdk/dist, and returns the path of that folder.
 *
 *   node packages/generator/src/build-sdk.ts && npm pack ./packages/sdk/dist
 */
export function buildSdk(): string {
  return buildPackage(fileURLToPath(new URL('sdk', PACKAGES)), {
    exports: { '.': 'index', './express': 'express', './hono': 'hono', './next': 'next', './react': 'react' },
    // The package has no dependencies, so it contains the module that it shares with the client.
    modules: { 'retrying-fetch.ts': readFileSync(new URL('client/src/retrying-fetch.ts', PACKAGES), 'utf8') },
  });
}

if (import.meta.main) buildSdk();
