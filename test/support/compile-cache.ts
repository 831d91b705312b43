import { fileURLToPath } from 'node:url';

/** Environment of processes that a test starts, so that they share the compile cache of the command line (packages/app/src/cli.js). */
export const COMPILE_CACHE = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../../node_modules/.cache/affiliate', import.meta.url)),
};
