import { join } from 'node:path';

/** Takes the place of the function with this name in `built-pages.ts`. In the production build, the built pages are always in this directory. */
export function builtPages(): Promise<string> {
  return Promise.resolve(join(import.meta.dirname, 'pages'));
}
