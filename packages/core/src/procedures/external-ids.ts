import { asParty } from '@affiliate/postgres';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Principal, Services } from '../platform/call/context.ts';
import type { RecordKind } from '../platform/wire/ids.ts';
import { EXTERNAL, externalIdOf } from '../platform/wire/merchant-data.ts';
import { kindOfId } from '../platform/wire/scalars.ts';
import { customerWith } from '../program/customer-identities/customer-identity.ts';

/** Kinds of records that a merchant can name by an own id, with a condition that prefers current records. */
const NAMED: Partial<Record<RecordKind, 'archivable' | 'kept' | 'customer'>> = {
  affiliate: 'archivable',
  campaign: 'archivable',
  link: 'archivable',
  referral: 'kept',
  customer: 'customer',
  sale: 'kept',
  commission: 'kept',
  payout: 'kept',
};

/**
 * Returns the id of the record of the caller's account that `external:<external_id>` names. A text of another form, and a name that no record has,
 * is returned unchanged: the operation then answers as for any unknown id. Of several records, the one that is not archived counts, then the newest.
 *
 * @param schema the schema of the input field, which says what kind of record the id is of
 */
export async function resolveExternalId(
  { database }: Pick<Services, 'database'>,
  { account_id: accountId }: Principal,
  schema: z.ZodType | undefined,
  id: string,
): Promise<string> {
  const kind = id.startsWith(EXTERNAL) && schema ? kindOfId(schema) : undefined;
  const named = kind && NAMED[kind];
  if (!kind || !named) return id;
  const externalId = externalIdOf(id);
  const query =
    named === 'customer'
      ? sql<{ id: string }>`select id from customer where id = ${customerWith(accountId, 'external_customer_id', externalId)}`
      : sql<{ id: string }>`
          select id from ${sql.table(kind)} where account_id = ${accountId} and external_id = ${externalId}
          order by ${named === 'archivable' ? sql`archived_at is not null, ` : sql``}id desc limit 1`;
  const { rows } = await asParty({ lane: 'read', id: accountId }, () => query.execute(database.kysely));
  return rows[0]?.id ?? id;
}
