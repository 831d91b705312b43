import { createHmac, randomBytes } from 'node:crypto';
import type { Services } from '../../platform/call/context.ts';

/** Path below which a check of a host asks for a proof. */
export const PROOF_PATH = '/.well-known/affiliate-portal/';

/** Texts of the TXT records of a name. A port, because the domain does no I/O of its own. */
export type ResolveTexts = (name: string) => Promise<readonly string[]>;

declare module '../../platform/call/context.ts' {
  interface Services {
    resolveTexts: ResolveTexts;
  }
}

/** The TXT record with which the holder of a name says which account may use it. */
export function ownerRecord(host: string, accountId: string): { name: string; value: string } {
  return { name: `_affiliate-portal.${host}`, value: accountId };
}

/** The accounts by their verified host names (docs/domain-rules.md#portal-hosts). */
export async function findPortalHosts({ database }: Pick<Services, 'database'>): Promise<ReadonlyMap<string, string>> {
  const rows = await database.kysely
    .selectFrom('portal_host')
    .select(['host', 'account_id'])
    .where('verified_at', 'is not', null)
    .execute();
  return new Map(rows.map(({ host, account_id }) => [host, account_id]));
}

/** Proves that a request for `host` has reached this installation: nobody else can answer to a nonce. */
export function proofOf({ secrets }: Pick<Services, 'secrets'>, host: string, nonce: string): string {
  return createHmac('sha256', secrets.derive('portal host')).update(`${host}\n${nonce}`).digest('hex');
}

export function newNonce(): string {
  return randomBytes(16).toString('hex');
}
