#!/usr/bin/env node
/**
 * Command line of the production build, bundled by `build.ts`. It starts faster than the sources because it consists of few files and contains no
 * TypeScript. It has no compile cache, because Node uses only caches that the same user has made: NODE_COMPILE_CACHE names a directory for one.
 */
const OLDEST_NODE = 24;
const { node } = process.versions;
if (Number.parseInt(node, 10) < OLDEST_NODE) {
  process.stderr.write(`The service needs Node ${OLDEST_NODE} or later. This is Node ${node}.\n`);
  process.exit(1);
}
// Loaded later than the check, because older versions of Node cannot load it.
const { runProgram } = await import('../src/program.ts');
await runProgram();
