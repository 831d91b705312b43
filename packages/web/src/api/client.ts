import { type AppRouter, createClient } from '@affiliate/client';
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query';
import { IN_LANGUAGE } from '../texts/language.ts';
import { portalToken } from './portal-token.ts';
import { queryClient } from './query-client.ts';
import { shownAccountId } from './shown-account.ts';
import { fetchWithLabels } from './with-labels.ts';

export type { Outputs } from '@affiliate/client';

/** Options of a mutation that takes effect once per key, however often it is sent. */
export function withKey(idempotencyKey: string): { context: { idempotencyKey: string } } {
  return { context: { idempotencyKey } };
}

function headers(): Record<string, string> {
  const accountId = shownAccountId();
  const token = portalToken();
  return {
    ...IN_LANGUAGE,
    ...(accountId === null ? {} : { 'X-Account-Id': accountId }),
    ...(token === null ? {} : { 'X-Portal-Token': token }),
  };
}

/**
 * Calls the service as the signed-in user, for the account that this page shows. The query client repeats failed queries, and a person repeats
 * failed mutations.
 */
export const client = createClient({ url: '', headers, batch: true, retries: 0, fetch: fetchWithLabels });

/** Query and mutation options of every procedure, for TanStack Query's hooks. */
export const trpc = createTRPCOptionsProxy<AppRouter>({ client, queryClient });
