import { join } from 'node:path';

/** Takes the place of `built-pages.ts` in the production build, which brings the pages along. */
export function builtPages(): Promise<string> {
  return Promise.resolve(join(import.meta.dirname, 'pages'));
}
