import { join } from 'node:path';

/** Replaces the function of `built-pages.ts` in the production build, in which the built pages are always at this place. */
export function builtPages(): Promise<string> {
  return Promise.resolve(join(import.meta.dirname, 'pages'));
}
