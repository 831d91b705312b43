import { type InlineConfig, type Plugin, type Rolldown, build } from 'vite';

/**
 * The modules that each view starts with: the entries, which load the texts of the language before anything that reads them; the three
 * applications; the page where most visits of merchants begin; and the lists.
 */
const VIEWS = {
  entries: ['main.tsx', 'sign-in/main.tsx', 'portal/main.tsx'],
  signIn: ['sign-in/app.tsx'],
  merchants: ['app.tsx', 'overview/overview-page.tsx'],
  portal: ['portal/app.tsx'],
  lists: [
    'affiliates/affiliates-page.tsx',
    'commissions/commissions-page.tsx',
    'commissions/review-page.tsx',
    'customers/customers-page.tsx',
    'customers/referrals-page.tsx',
    'customers/sales-page.tsx',
    'payouts/payouts-page.tsx',
  ],
};
type View = keyof typeof VIEWS;

/**
 * Puts the code of the first views into a few files: one with what the sign-in pages share with the others, one with what merchants and
 * affiliates share, and one for the rest of each. Left alone the bundler makes some fifty for each view, and a browser that may only ask for
 * six at a time waits for the answers longer than for their bytes.
 *
 * The modules that a view needs are those of a first build, which is kept in memory.
 */
export async function chunksOfFirstViews(config: InlineConfig & { root: string }): Promise<Rolldown.CodeSplittingGroup[]> {
  const { output } = (await build({
    ...config,
    configFile: false,
    logLevel: 'silent',
    build: { ...config.build, write: false, minify: false },
  })) as Rolldown.RolldownOutput;
  const chunks = output.filter((file) => file.type === 'chunk');
  const pathsOf = (view: View) => VIEWS[view].map((file) => `${config.root}src/${file}`);
  const bundled = new Set(chunks.flatMap(({ moduleIds }) => moduleIds));
  const missing = (Object.keys(VIEWS) as View[]).flatMap(pathsOf).filter((path) => !bundled.has(path));
  if (missing.length > 0) throw new Error(`No chunk contains ${missing.join(', ')}, which VIEWS lists.`);
  // All modules of a chunk run when it is loaded, so a module that starts something has a chunk of its own.
  const starters = new Set((Object.keys(VIEWS) as View[]).flatMap(pathsOf));
  const neededBy = Object.fromEntries(
    (Object.keys(VIEWS) as View[]).map((view) => {
      // A Set yields what is added to it while it is walked.
      const loaded = new Set(chunks.filter(({ moduleIds }) => pathsOf(view).some((path) => moduleIds.includes(path))));
      for (const { imports } of loaded) for (const chunk of chunks) if (imports.includes(chunk.fileName)) loaded.add(chunk);
      const ids = [...loaded].flatMap(({ moduleIds }) => moduleIds);
      return [view, new Set(ids.filter((id) => !starters.has(id) && !id.endsWith('.html')))];
    }),
  ) as Record<View, Set<string>>;
  // Modules that a group needs come along, unless a group of a higher priority has them.
  const group = (name: string, priority: number, ...views: View[]): Rolldown.CodeSplittingGroup => ({
    name,
    priority,
    test: (id) => views.every((view) => neededBy[view].has(id)),
  });
  return [
    group('start', 7, 'entries'),
    group('base', 6, 'signIn', 'merchants'),
    group('base', 5, 'signIn', 'portal'),
    group('pages', 4, 'merchants', 'portal'),
    group('merchants', 3, 'merchants'),
    group('records', 2, 'lists', 'portal'),
    group('lists', 1, 'lists'),
    group('portal', 1, 'portal'),
    group('sign-in', 1, 'signIn'),
  ];
}

/** Each entry imports its application after the texts of the language. The browser loads it at once, with its style sheets. */
export function preloadApplication(noncePlaceholder: string): Plugin {
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
          attrs: { crossorigin: true, nonce: noncePlaceholder, ...attrs },
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
