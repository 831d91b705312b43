/**
 * The command line of the production build, which `build.ts` bundles. It starts faster than the sources: few files, no TypeScript, and
 * compiled code beside it.
 */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

enableCompileCache({ directory: join(import.meta.dirname, 'compile-cache'), portable: true });
const { runProgram } = await import('../src/program.ts');
await runProgram();
