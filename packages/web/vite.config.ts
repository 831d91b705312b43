import react from '@vitejs/plugin-react';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Plugin, type Rolldown, defineConfig } from 'vite';

/** Replaced by a fresh nonce in every copy of index.html that is served (packages/rest/src/pages.ts). */
const NONCE_PLACEHOLDER = '__CSP_NONCE__';
/** A service started on its own, for `pnpm --filter @affiliate/web dev`. */
const SERVICE = 'http://localhost:3000';

const PAGE = fileURLToPath(new URL('index.html', import.meta.url));
/** Each entry is index.html with its own script. */
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
      return script === undefined ? null : readFileSync(PAGE, 'utf8').replace('/src/main.tsx', script);
    },
  };
}

export default defineConfig({
  plugins: [entryPages(), react(), preloadApplication()],
  html: { cspNonce: NONCE_PLACEHOLDER },
  // The portal of affiliates and the sign-in pages are loaded without the pages of merchants.
  build: {
    rolldownOptions: { input: ['index.html', ...Object.keys(ENTRIES)] },
    target: 'es2023',
    sourcemap: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { proxy: Object.fromEntries(['/trpc', '/auth', '/api'].map((path) => [path, SERVICE])) },
});

/** Each entry imports its application after the texts of the language. The browser loads it at once, with its style sheets. */
function preloadApplication(): Plugin {
  return {
    name: 'preload-application',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle, chunk }) {
        if (!bundle || !chunk) return [];
        const chunkOf = (file: string) => bundle[file] as Rolldown.OutputChunk;
        const linked = new Set(chunk.imports);
        const application = chunk.dynamicImports.filter((file) => /\/app-[^/]*$/.test(file));
        // A Set yields what is added to it while it is walked.
        const scripts = new Set(application);
        for (const file of scripts)
          for (const imported of chunkOf(file).imports) if (!linked.has(imported)) scripts.add(imported);
        const styles = new Set([...scripts].flatMap((file) => [...(chunkOf(file).viteMetadata?.importedCss ?? [])]));
        const link = (attrs: Record<string, string>) => ({
          tag: 'link',
          attrs: { crossorigin: true, nonce: NONCE_PLACEHOLDER, ...attrs },
          injectTo: 'head' as const,
        });
        return [
          ...[...scripts].map((file) => link({ rel: 'modulepreload', href: `/${file}` })),
          ...[...styles].map((file) => link({ rel: 'stylesheet', href: `/${file}` })),
        ];
      },
    },
  };
}
