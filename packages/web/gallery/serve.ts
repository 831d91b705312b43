import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';

/** Serves the gallery from its sources, which the build of the pages does not contain. */
export async function serveGallery(): Promise<{ url: string; close: () => Promise<void> }> {
  const server = await createServer({
    root: fileURLToPath(new URL('..', import.meta.url)),
    configFile: fileURLToPath(new URL('../vite.config.ts', import.meta.url)),
    server: { host: '127.0.0.1', port: 0, hmr: false, watch: null },
    logLevel: 'error',
  });
  await server.listen();
  return { url: server.resolvedUrls!.local[0]!.replace(/\/$/, ''), close: () => server.close() };
}
