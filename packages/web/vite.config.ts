import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Replaced by a fresh nonce in every copy of index.html that is served (packages/rest/src/pages.ts). */
const NONCE_PLACEHOLDER = '__CSP_NONCE__';
/** A service started on its own, for `pnpm --filter @affiliate/web dev`. */
const SERVICE = 'http://localhost:3000';

export default defineConfig({
  plugins: [react()],
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
