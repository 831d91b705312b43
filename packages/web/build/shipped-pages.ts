import { join } from 'node:path';

/** Replaces the function of `built-pages.ts` in the production build, which contains the built pages. */
export function builtPages(): Promise<string> {
  return Promise.resolve(join(import.meta.dirname, 'pages'));
}
