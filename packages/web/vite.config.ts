import react from '@vitejs/plugin-react';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Plugin, defineConfig } from 'vite';

/** Replaced by a fresh nonce in every copy of index.html that is served (packages/rest/src/pages.ts). */
const NONCE_PLACEHOLDER = '__CSP_NONCE__';
/** A service started on its own, for `pnpm --filter @affiliate/web dev`. */
const SERVICE = 'http://localhost:3000';

const PAGE = fileURLToPath(new URL('index.html', import.meta.url));
const PORTAL = fileURLToPath(new URL('portal.html', import.meta.url));

/** The page of the portal is index.html with another script. */
function portalPage(): Plugin {
  return {
    name: 'portal-page',
    enforce: 'pre',
    resolveId: (id) => (id === 'portal.html' ? PORTAL : null),
    load: (id) => (id === PORTAL ? readFileSync(PAGE, 'utf8').replace('/src/main.tsx', '/src/portal/main.tsx') : null),
  };
}

export default defineConfig({
  plugins: [portalPage(), react()],
  html: { cspNonce: NONCE_PLACEHOLDER },
  // The portal of affiliates is loaded without the pages of merchants.
  build: {
    rolldownOptions: { input: ['index.html', 'portal.html'] },
    target: 'es2023',
    sourcemap: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { proxy: Object.fromEntries(['/trpc', '/auth', '/api'].map((path) => [path, SERVICE])) },
});
