#!/usr/bin/env node
/**
 * Command line of the production build, bundled by `build.ts`. It starts faster than the sources because it consists of few files, contains
 * no TypeScript, and comes with a compile cache.
 */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

enableCompileCache({ directory: join(import.meta.dirname, 'compile-cache'), portable: true });
const { runProgram } = await import('../src/program.ts');
await runProgram();
