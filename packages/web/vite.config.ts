import react from '@vitejs/plugin-react';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, type Plugin, defineConfig } from 'vite';
import { chunksOfFirstViews, preloadApplication } from './build/first-views.ts';

/** Replaced by a fresh nonce in every copy of index.html that is served (packages/rest/src/pages.ts). */
const NONCE_PLACEHOLDER = '__CSP_NONCE__';
/** A service started on its own, for `pnpm --filter @affiliate/web dev`. */
const SERVICE = 'http://localhost:3000';

const ROOT = fileURLToPath(new URL('.', import.meta.url));
const PAGE = fileURLToPath(new URL('index.html', import.meta.url));
/** Each entry is index.html with its own script, which runs after the style sheets are loaded. */
const ENTRIES: Record<string, string> = { 'portal.html': '/src/portal/main.tsx', 'sign-in.html': '/src/sign-in/main.tsx' };

function entryPages(): Plugin {
  const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));
  const scripts = new Map(Object.entries(ENTRIES).map(([name, script]) => [pathOf(name), script]));
  return {
    name: 'entry-pages',
    enforce: 'pre',
    resolveId: (id) => (Object.hasOwn(ENTRIES, id) ? pathOf(id) : null),
    load: (id) => {
      const script = scripts.get(id);
      return script === undefined ? null : readFileSync(PAGE, 'utf8').replace('async src="/src/main.tsx"', `src="${script}"`);
    },
  };
}

// The portal of affiliates and the sign-in pages are loaded without the pages of merchants.
const build = {
  rolldownOptions: { input: ['index.html', ...Object.keys(ENTRIES)] },
  target: 'es2023',
  sourcemap: false,
  assetsInlineLimit: 0,
  modulePreload: { polyfill: false },
} satisfies BuildOptions;

export default defineConfig(async ({ command }) => ({
  plugins: [entryPages(), react(), preloadApplication(NONCE_PLACEHOLDER)],
  html: { cspNonce: NONCE_PLACEHOLDER },
  build: {
    ...build,
    rolldownOptions: {
      ...build.rolldownOptions,
      output: {
        codeSplitting: {
          groups: command === 'build' ? await chunksOfFirstViews({ root: ROOT, plugins: [entryPages(), react()], build }) : [],
        },
      },
    },
  },
  server: { proxy: Object.fromEntries(['/trpc', '/auth', '/api'].map((path) => [path, SERVICE])) },
}));
