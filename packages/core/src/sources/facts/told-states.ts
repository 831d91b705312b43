/** The newest facts about customers and codes. Payments keep their version with the sale. */
import { sql } from 'kysely';
import type { WriteCtx } from '../../platform/call/context.ts';
import type { ProviderPromotionCode } from '../port/capabilities.ts';
import type { CompletionScope } from '../port/port.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    told_state: ToldStateTable;
  }
}

interface ToldStateTable {
  account_id: string;
  connection_id: string;
  /** Digest of a customer's names, or the id of a code. */
  subject: string;
  version: string;
  /** The state of a code; null for a customer. */
  code: string | null;
}

interface ToldState {
  subject: string;
  version: string;
  code: ProviderPromotionCode | null;
}

/** Keeps the version of a fact. Returns false if the source has told something newer of the same subject before. */
export async function keepState(ctx: WriteCtx, connectionId: string, { subject, version, code }: ToldState): Promise<boolean> {
  ctx.locks.assertHeld('psp events');
  const { rows } = await sql`
    insert into told_state (account_id, connection_id, subject, version, code)
    values (${ctx.accountId}, ${connectionId}, ${subject}, ${version}, ${code && JSON.stringify(code)}::jsonb)
    on conflict (connection_id, subject) do update set version = excluded.version, code = excluded.code
    where told_state.version <= excluded.version
    returning 1`.execute(ctx.db);
  return rows.length > 0;
}

export async function findToldCodes({ db, accountId, connectionId }: CompletionScope): Promise<ProviderPromotionCode[]> {
  const { rows } = await sql<{ code: ProviderPromotionCode & { createdAt: string; expiresAt: string | null } }>`
    select code from told_state
    where account_id = ${accountId} and connection_id = ${connectionId} and code is not null order by subject`.execute(db);
  return rows.map(({ code }) => ({
    ...code,
    createdAt: new Date(code.createdAt),
    expiresAt: code.expiresAt === null ? null : new Date(code.expiresAt),
  }));
}
