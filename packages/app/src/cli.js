import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// The compile cache halves the time to start: Node stores compiled code (including TypeScript) next to the packages. This file is JavaScript
// because it runs before the cache is enabled. If everything is cached, Node does not even load its TypeScript support.
enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/affiliate', import.meta.url)));
const { runProgram } = await import('./program.ts');
await runProgram();
