import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Router } from 'express';
import { stateOf } from './request-state.ts';

/** Packages that the production build contains (packages/app/build/packages.ts). A service that runs from its sources has none. */
const DIRECTORY = join(import.meta.dirname, 'packages');
const TYPES = { '.tgz': 'application/gzip', '.whl': 'application/zip' };

/**
 * Serves the SDKs, the typed client and the command line of this version under `/sdk`, so that programs install what fits their server. `GET /sdk` lists
 * them. They are public, because they contain no account data.
 */
export function packageRoutes(publicUrl: string): Router {
  const files = (existsSync(DIRECTORY) ? readdirSync(DIRECTORY).toSorted() : []).map((name) => {
    const content = readFileSync(join(DIRECTORY, name));
    return { name, content, sha256: createHash('sha256').update(content).digest('hex') };
  });
  const router = Router();
  router.get('/sdk', (request, response) => {
    stateOf(request).route = '/sdk';
    response.json({ data: files.map(({ name, sha256 }) => ({ name, url: `${publicUrl}/sdk/${name}`, sha256 })) });
  });
  for (const { name, content, sha256 } of files)
    router.get(`/sdk/${name}`, (request, response) => {
      stateOf(request).route = '/sdk/{name}';
      response.setHeader('Cache-Control', 'no-cache').setHeader('ETag', `"${sha256}"`);
      if (request.fresh) response.status(304).end();
      else response.type(TYPES[name.slice(-4) as keyof typeof TYPES]).send(content);
    });
  return router;
}
