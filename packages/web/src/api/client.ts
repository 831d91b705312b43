import type { AppRouter } from '@affiliate/core';
import { createTRPCClient, httpBatchLink, httpLink, splitLink } from '@trpc/client';
import type { inferRouterOutputs } from '@trpc/server';
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query';
import { portalToken } from './portal-token.ts';
import { queryClient } from './query-client.ts';
import { shownAccountId } from './shown-account.ts';

/** Wire types of every procedure. */
export type Outputs = inferRouterOutputs<AppRouter>;

/** Options of a mutation that takes effect once per key, however often it is sent. */
export function withKey(idempotencyKey: string): { context: { idempotencyKey: string } } {
  return { context: { idempotencyKey } };
}

function headers(): Record<string, string> {
  const accountId = shownAccountId();
  const token = portalToken();
  return {
    ...(accountId === null ? {} : { 'X-Account-Id': accountId }),
    ...(token === null ? {} : { 'X-Portal-Token': token }),
  };
}

const ENDPOINT = '/trpc';

/** Calls the service as the signed-in user, for the account that this page shows. */
export const client = createTRPCClient<AppRouter>({
  links: [
    splitLink({
      condition: ({ context }) => typeof context['idempotencyKey'] === 'string',
      // An idempotency key belongs to one call, so the call is not batched with others.
      true: httpLink({
        url: ENDPOINT,
        headers: ({ op }) => ({ ...headers(), 'Idempotency-Key': String(op.context['idempotencyKey']) }),
      }),
      // Proxies reject longer query strings.
      false: httpBatchLink({ url: ENDPOINT, maxURLLength: 4_000, headers }),
    }),
  ],
});

/** Query and mutation options of every procedure, for TanStack Query's hooks. */
export const trpc = createTRPCOptionsProxy<AppRouter>({ client, queryClient });
