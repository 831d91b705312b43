import type { ComponentType } from 'react';
import { type RouteObject, matchRoutes, useRoutes } from 'react-router';
import { Loading } from './components/loading.tsx';
import { Layout } from './layout/layout.tsx';
import { pageOnDemand, rarePart } from './on-demand.tsx';
import { ADMIN_PAGES, MEMBER_PAGES, OPEN_PAGES, type PageEntry } from './pages.ts';
import { RequireAccount } from './session/require-account.tsx';
import { RequireRole } from './session/require-role.tsx';

/** Routes of pages. The handle of a route loads the code of its page. */
function routesOf(pages: readonly PageEntry[]): RouteObject[] {
  return pages.map(({ path, load }) => {
    const Component = pageOnDemand(load);
    return { path, Component, handle: Component.load };
  });
}

const NotFoundPage = rarePart(async () => (await import('./layout/not-found-page.tsx')).NotFoundPage, <Loading />);

const ROUTES: RouteObject[] = [
  ...routesOf(OPEN_PAGES),
  {
    Component: RequireAccount,
    children: [
      {
        Component: Layout,
        children: [
          ...routesOf(MEMBER_PAGES),
          { element: <RequireRole role="admin" />, children: routesOf(ADMIN_PAGES) },
          { path: '*', Component: NotFoundPage as ComponentType },
        ],
      },
    ],
  },
];

export function Pages() {
  return useRoutes(ROUTES);
}

/** Loads the code of the page at a path, so that the page is shown without a delay. */
export async function loadPageAt(pathname: string): Promise<void> {
  const loads = (matchRoutes(ROUTES, pathname) ?? []).map(({ route }) => route.handle as (() => Promise<void>) | undefined);
  await Promise.all(loads.flatMap((load) => (load ? [load()] : [])));
}
