import type { ComponentType } from 'react';
import { type RouteObject, matchRoutes, useRoutes } from 'react-router';
import { Loading } from './components/loading.tsx';
import { PagesByPath } from './components/looked-at.tsx';
import { Layout } from './layout/layout.tsx';
import { type PageOnDemand, pageOnDemand, rarePart } from './on-demand.tsx';
import { ADMIN_PAGES, MEMBER_PAGES, OPEN_PAGES, type PageEntry } from './pages.ts';
import { RequireAccount, RequireRole } from './session/require-account.tsx';

/** Routes of pages. The handle of a route loads the code of its page. */
function routesOf(pages: readonly PageEntry[]): { path: string; Component: PageOnDemand; handle: () => Promise<void> }[] {
  return pages.map(({ path, load }) => {
    const Component = pageOnDemand(load);
    return { path, Component, handle: Component.load };
  });
}

const PAGES_OF_MEMBERS = routesOf(MEMBER_PAGES);

const NotFoundPage = rarePart(async () => (await import('./layout/not-found-page.tsx')).NotFoundPage, <Loading />);

const ROUTES: RouteObject[] = [
  ...routesOf(OPEN_PAGES),
  {
    Component: RequireAccount,
    children: [
      {
        Component: Layout,
        children: [
          ...PAGES_OF_MEMBERS,
          { element: <RequireRole role="admin" />, children: routesOf(ADMIN_PAGES) },
          { path: '*', Component: NotFoundPage as ComponentType },
        ],
      },
    ],
  },
];

const BY_PATH = new Map(PAGES_OF_MEMBERS.map(({ path, Component }) => [path, Component]));

export function Pages() {
  return <PagesByPath value={BY_PATH}>{useRoutes(ROUTES)}</PagesByPath>;
}

/** Loads the code of the page at a path, so that the page is shown without a delay. */
export async function loadPageAt(pathname: string): Promise<void> {
  const loads = (matchRoutes(ROUTES, pathname) ?? []).map(({ route }) => route.handle as (() => Promise<void>) | undefined);
  await Promise.all(loads.flatMap((load) => (load ? [load()] : [])));
}
