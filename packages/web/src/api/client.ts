import type { AppRouter } from '@affiliate/core';
import { createTRPCClient, httpBatchLink } from '@trpc/client';
import type { inferRouterOutputs } from '@trpc/server';
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query';
import { portalToken } from './portal-token.ts';
import { queryClient } from './query-client.ts';
import { shownAccountId } from './shown-account.ts';

/** Wire types of every procedure. */
export type Outputs = inferRouterOutputs<AppRouter>;

/** Calls the service as the signed-in user, for the account that this page shows. */
export const client = createTRPCClient<AppRouter>({
  links: [
    httpBatchLink({
      url: '/trpc',
      // Proxies reject longer query strings.
      maxURLLength: 4_000,
      headers: () => {
        const accountId = shownAccountId();
        const token = portalToken();
        return {
          ...(accountId === null ? {} : { 'X-Account-Id': accountId }),
          ...(token === null ? {} : { 'X-Portal-Token': token }),
        };
      },
    }),
  ],
});

/** Query and mutation options of every procedure, for TanStack Query's hooks. */
export const trpc = createTRPCOptionsProxy<AppRouter>({ client, queryClient });
