import { fileURLToPath } from 'node:url';

/** For the environment of a process that a test starts: what the command line has compiled (packages/app/src/cli.js) is not compiled again. */
export const COMPILE_CACHE = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../../node_modules/.cache/affiliate', import.meta.url)),
};
