import { type InlineConfig, type Plugin, type Rolldown, build } from 'vite';

/** The modules that each view loads first. The entries of merchants and of the portal request the first data, and then import their application. */
const VIEWS = {
  entry: ['main.tsx', 'portal/main.tsx'],
  signIn: ['sign-in/app.tsx'],
  join: ['join/app.tsx'],
  merchants: ['app.tsx'],
  overview: ['overview/overview-page.tsx'],
  portal: ['portal/app.tsx'],
  affiliates: ['affiliates/affiliates-page.tsx'],
  commissions: ['commissions/commissions-page.tsx', 'commissions/review-page.tsx'],
  customers: ['customers/customers-page.tsx', 'customers/referrals-page.tsx', 'customers/sales-page.tsx'],
  payouts: ['payouts/payouts-page.tsx'],
};
type View = keyof typeof VIEWS;
const LISTS: readonly View[] = ['affiliates', 'commissions', 'customers', 'payouts'];

/**
 * Returns the rules that put the code of the first views into a few files: the code that the plain pages share with other pages, the code
 * that merchants and affiliates share, and the rest of each view. Without these rules the bundler makes about fifty files per view. A
 * browser that requests only six files at a time then spends more time waiting for responses than downloading.
 *
 * Runs a build in memory first, to find out which modules each view needs.
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
  // Loading a chunk runs all of its modules. The modules that start an application are therefore not put into shared chunks.
  const starters = new Set((Object.keys(VIEWS) as View[]).flatMap(pathsOf).filter((path) => /\/(main|app)\.tsx$/.test(path)));
  /** Returns the modules that a view loads first; with `onDemand`, also those that it loads later. */
  const modulesOf = (view: View, { onDemand = false } = {}): Set<string> => {
    // Iterating over a Set includes elements that are added during the iteration.
    const loaded = new Set(chunks.filter(({ moduleIds }) => pathsOf(view).some((path) => moduleIds.includes(path))));
    for (const { imports, dynamicImports } of loaded) {
      const files = onDemand ? [...imports, ...dynamicImports] : imports;
      for (const chunk of chunks) if (files.includes(chunk.fileName)) loaded.add(chunk);
    }
    const ids = [...loaded].flatMap(({ moduleIds }) => moduleIds);
    return new Set(ids.filter((id) => !starters.has(id) && !id.endsWith('.html')));
  };
  const neededBy = {
    ...(Object.fromEntries((Object.keys(VIEWS) as View[]).map((view) => [view, modulesOf(view)])) as Record<View, Set<string>>),
    merchantsLater: modulesOf('merchants', { onDemand: true }),
  };
  type Needing = keyof typeof neededBy;
  // The bundler adds the imports of a group's modules to the group, unless a group of higher priority contains them.
  /** A group of the modules that two of the views need: one of the first list, and one of the second. Or, without a second list, one of the first. */
  const group = (
    name: string,
    priority: number,
    ...lists: (readonly [readonly Needing[], (readonly Needing[])?])[]
  ): Rolldown.CodeSplittingGroup => ({
    name,
    priority,
    test: (id) => {
      const isNeeded = (view: Needing) => neededBy[view].has(id);
      return lists.some(([views, others = views]) => views.some(isNeeded) && others.some(isNeeded));
    },
  });
  return [
    group('first-view', 6, [['entry']]),
    group('base', 5, [
      ['signIn', 'join'],
      ['merchants', 'portal'],
    ]),
    group('pages', 4, [['merchants', 'overview'], ['portal']]),
    group('merchants', 3, [['merchants']], [['overview'], LISTS]),
    group('lists', 2, [['affiliates'], ['commissions', 'customers', 'payouts']]),
    // Otherwise the pages of merchants that use one of these modules would load the whole portal.
    group('shared', 2, [['portal'], ['merchantsLater']]),
    group('plain', 2, [['signIn'], ['join']]),
    ...(['overview', 'portal', 'signIn', 'join', ...LISTS] as const).map((view) => group(view, 1, [[view]])),
  ];
}

/**
 * Adds links to the page of each entry, so that the browser loads the application and its style sheets at once. Without these links the browser
 * would find them late, because the entries of merchants and of the portal import their application only after they have requested the first data.
 */
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
        // Iterating over a Set includes elements that are added during the iteration.
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
