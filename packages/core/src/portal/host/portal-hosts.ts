import { createHmac, randomBytes } from 'node:crypto';
import type { Services } from '../../platform/call/context.ts';

/** Path below which a check asks a host for its proof. */
export const PROOF_PATH = '/.well-known/affiliate-portal/';

/** Resolves the TXT records of a DNS name. Implemented outside the core, because the domain does no I/O of its own. */
export type ResolveTexts = (name: string) => Promise<readonly string[]>;

declare module '../../platform/call/context.ts' {
  interface Services {
    resolveTexts: ResolveTexts;
  }
}

/** Returns the TXT record by which the owner of a host name allows an account to use the host name. */
export function ownerRecord(host: string, accountId: string): { name: string; value: string } {
  return { name: `_affiliate-portal.${host}`, value: accountId };
}

/** Returns a map from verified host names to account ids (docs/rules/portal.md#portal-hosts). */
export async function findPortalHosts({ database }: Pick<Services, 'database'>): Promise<ReadonlyMap<string, string>> {
  const rows = await database.kysely
    .selectFrom('portal_host')
    .select(['host', 'account_id'])
    .where('verified_at', 'is not', null)
    .execute();
  return new Map(rows.map(({ host, account_id }) => [host, account_id]));
}

/**
 * Returns the proof that a request for `host` has reached this installation. Nobody else knows the key, so nobody else can compute the proof for
 * a nonce.
 */
export function proofOf({ secrets }: Pick<Services, 'secrets'>, host: string, nonce: string): string {
  return createHmac('sha256', secrets.derive('portal host')).update(`${host}\n${nonce}`).digest('hex');
}

export function newNonce(): string {
  return randomBytes(16).toString('hex');
}
