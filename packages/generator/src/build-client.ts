import { fileURLToPath } from 'node:url';
import { buildPackage } from './build-package.ts';
import { clientTypes } from './client-types.ts';

/**
 * Builds `@affiliate/client` into packages/client/dist, and returns the path of that folder.
 *
 *   node packages/generator/src/build-client.ts && npm pack ./packages/client/dist
 */
export function buildClient(): string {
  return buildPackage(fileURLToPath(new URL('../../client', import.meta.url)), {
    exports: { '.': 'index' },
    modules: { 'procedures.ts': clientTypes() },
  });
}

if (import.meta.main) buildClient();
