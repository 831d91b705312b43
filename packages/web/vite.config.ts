import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { type BuildOptions, type Plugin, defineConfig } from 'vite';
import { chunksOfFirstViews, preloadApplication } from './build/first-views.ts';
import { stylesOfComponents } from './build/styles-of-components.ts';

/** Placeholder in index.html. The server replaces it with a fresh nonce in every response (packages/rest/src/pages.ts). */
const NONCE_PLACEHOLDER = '__CSP_NONCE__';
/** The service to which the development server (`pnpm --filter @affiliate/web dev`) forwards requests. It is started separately. */
const SERVICE = 'http://localhost:3000';

const ROOT = fileURLToPath(new URL('.', import.meta.url));
const PAGE = fileURLToPath(new URL('index.html', import.meta.url));
/** Copies of index.html, each with its own script. Only a `main.tsx`, which requests data, is `async`. Others run after the style sheets are loaded. */
const ENTRIES: Record<string, string> = {
  'portal.html': '/src/portal/main.tsx',
  'sign-in.html': '/src/sign-in/app.tsx',
  'join.html': '/src/join/app.tsx',
};

function entryPages(): Plugin {
  const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));
  const scripts = new Map(Object.entries(ENTRIES).map(([name, script]) => [pathOf(name), script]));
  return {
    name: 'entry-pages',
    enforce: 'pre',
    resolveId: (id) => (Object.hasOwn(ENTRIES, id) ? pathOf(id) : null),
    load: (id) => {
      const script = scripts.get(id);
      return script === undefined
        ? null
        : readFileSync(PAGE, 'utf8').replace(
            'async src="/src/main.tsx"',
            `${script.endsWith('/main.tsx') ? 'async ' : ''}src="${script}"`,
          );
    },
  };
}

/** Writes the paths of the merchants' pages to pages.json, so that the server knows which paths have no page (packages/rest/src/pages.ts). */
function listOfPages(): Plugin {
  return {
    name: 'list-of-pages',
    apply: 'build',
    async generateBundle() {
      const { OPEN_PAGES, MEMBER_PAGES, ADMIN_PAGES } = await import(new URL('src/pages.ts', import.meta.url).href);
      const paths = [...OPEN_PAGES, ...MEMBER_PAGES, ...ADMIN_PAGES].map(({ path }: { path: string }) => path);
      this.emitFile({ type: 'asset', fileName: 'pages.json', source: JSON.stringify(paths) });
    },
  };
}

// The portal, the sign-in pages and the sign-up page are separate entries, so that they load without the code of the merchants' pages.
const build = {
  rolldownOptions: {
    input: ['index.html', ...Object.keys(ENTRIES)],
    // Pages import only values and pure functions of the core. Each view loads only those that it uses. The tRPC client has no side effects
    // either, but does not say so.
    treeshake: { moduleSideEffects: (id) => !id.includes('/packages/core/src/') && !id.includes('/@trpc/client/') },
  },
  target: 'es2023',
  sourcemap: false,
  assetsInlineLimit: 0,
  modulePreload: { polyfill: false },
} satisfies BuildOptions;

export default defineConfig(async ({ command }) => ({
  plugins: [entryPages(), stylesOfComponents(), react(), preloadApplication(NONCE_PLACEHOLDER), listOfPages()],
  html: { cspNonce: NONCE_PLACEHOLDER },
  build: {
    ...build,
    rolldownOptions: {
      ...build.rolldownOptions,
      output: {
        codeSplitting: {
          groups:
            command === 'build'
              ? await chunksOfFirstViews({
                  root: ROOT,
                  plugins: [entryPages(), stylesOfComponents(), react()],
                  build,
                })
              : [],
        },
      },
    },
  },
  server: { proxy: Object.fromEntries(['/trpc', '/auth', '/api'].map((path) => [path, SERVICE])) },
}));
