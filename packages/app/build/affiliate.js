#!/usr/bin/env node
/**
 * Command line of the production build, bundled by `build.ts`. It starts faster than the sources because it consists of few files, contains
 * no TypeScript, and comes with a compile cache.
 */
import { join } from 'node:path';

const OLDEST_NODE = 24;
const { node } = process.versions;
if (Number.parseInt(node, 10) < OLDEST_NODE) {
  process.stderr.write(`The service needs Node ${OLDEST_NODE} or later. This is Node ${node}.\n`);
  process.exit(1);
}
// Loaded later than the check, because older versions of Node have no compile cache.
const { enableCompileCache } = await import('node:module');
enableCompileCache({ directory: join(import.meta.dirname, 'compile-cache'), portable: true });
const { runProgram } = await import('../src/program.ts');
await runProgram();
