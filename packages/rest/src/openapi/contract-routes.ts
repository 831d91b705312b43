import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type RequestHandler, Router } from 'express';
import { ignorePreconditions } from '../conditional-requests.ts';
import { publicText } from '../public-text.ts';
import type { ContractText } from './contract-text.ts';
import { CONTRACT_NAMES, type ContractName } from './contracts.ts';

const PAGE = fileURLToPath(new URL('docs-page/', import.meta.url));
const SWAGGER_UI = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

/** Files of the reference page, by path. The page loads nothing from other hosts. */
const FILES: Record<string, string> = {
  '/docs': join(PAGE, 'index.html'),
  '/docs/reference.js': join(PAGE, 'reference.js'),
  '/docs/swagger-ui.css': join(SWAGGER_UI, 'swagger-ui.css'),
  '/docs/swagger-ui-bundle.js': join(SWAGGER_UI, 'swagger-ui-bundle.js'),
  '/docs/favicon-32x32.png': join(SWAGGER_UI, 'favicon-32x32.png'),
};

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Serves each contract as `/openapi/<name>.yaml` and `/openapi/<name>.json`, its requests as the collection `/openapi/<name>.postman.json`, and the
 * reference page `/docs`. They are public, because they contain
 * no account data.
 */
export function contractRoutes(publicUrl: string, version: string | undefined): Router {
  const router = Router();
  for (const name of CONTRACT_NAMES) {
    const contract = renderedOnce(name, publicUrl, version);
    router.get(
      `/openapi/${name}.yaml`,
      publicText('application/yaml', async () => (await contract()).yaml),
    );
    router.get(
      `/openapi/${name}.json`,
      publicText('application/json', async () => (await contract()).json),
    );
    router.get(
      `/openapi/${name}.postman.json`,
      publicText('application/json', async () => (await contract()).collection),
    );
  }
  for (const [path, file] of Object.entries(FILES)) router.get(path, sendPageFile(file));
  return router;
}

/** Loads the contract generator, so that the first request for the contract does not wait for it. */
export async function preloadContract(): Promise<void> {
  await import('./contract-text.ts');
}

/** Returns a function that renders a contract at its first call. If that fails, the next call renders the contract again. */
function renderedOnce(name: ContractName, serverUrl: string, version: string | undefined): () => Promise<ContractText> {
  let rendered: Promise<ContractText> | undefined;
  return () => {
    rendered ??= renderContract(name, serverUrl, version).catch((error: unknown) => {
      rendered = undefined;
      throw error;
    });
    return rendered;
  };
}

async function renderContract(name: ContractName, serverUrl: string, version: string | undefined): Promise<ContractText> {
  const { contractText } = await import('./contract-text.ts');
  return contractText(name, serverUrl, version);
}

function sendPageFile(file: string): RequestHandler {
  return (request, response) => {
    ignorePreconditions(request);
    response.setHeader('Content-Security-Policy', CONTENT_SECURITY_POLICY);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    // No callback is passed, because Express would also call it after success and leave the handling of errors to it.
    response.sendFile(file, {
      dotfiles: 'allow',
      etag: true,
      acceptRanges: false,
      cacheControl: false,
      headers: { 'Cache-Control': 'no-cache' },
    });
  };
}
