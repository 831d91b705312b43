import { sql } from 'kysely';
import { z } from 'zod';
import type { Ctx, WriteCtx } from '../platform/call/context.ts';
import { newId } from '../platform/wire/ids.ts';
import { id, instant } from '../platform/wire/scalars.ts';
import type { Sought } from '../program/erasures/personal-data.ts';
import { accountText } from '../program/payout-methods/payout-addresses.ts';

export const EraseCustomer = z.strictObject({ id: id('customer') });
export const EraseAffiliate = z.strictObject({ id: id('affiliate') });

const erased = {
  erased_at: instant().describe('Time of the erasure.'),
  completed_at: instant()
    .nullable()
    .describe(
      'Time at which all copies were erased, too: events, deliveries, the audit log. Null until then; it takes seconds to minutes.',
    ),
  kept: z
    .array(z.object({ kind: z.enum(['customer', 'affiliate', 'member']), id: z.string() }))
    .describe('Other records of your account with the same email or payout address. They were not erased.'),
  to_review: z
    .array(
      z.object({
        table: z.string().describe('Kind of the record with the text.').meta({ example: 'sale' }),
        id: z.string().meta({ example: 'sale_01k9v7m3q8e2t4r6w8y0a1b2c3' }),
        field: z.string().describe('Name of the field with the text.').meta({ example: 'description' }),
      }),
    )
    .describe(
      'Texts that may name the person, once the erasure is completed: with the name, which others may have, or with the address within a longer word. Decide about each of them. At most 100.',
    ),
};

export const Erased = z
  .object({ id: z.string().describe('ID of the erased record, which stays with its amounts.'), ...erased })
  .meta({ id: 'Erased', description: 'The erasure of a person’s data.' });
export type Erased = z.infer<typeof Erased>;

export const PersonalData = z
  .object({
    kind: z.enum(['customer', 'affiliate']),
    id: z.string(),
    exported_at: instant(),
    records: z
      .record(z.string(), z.array(z.record(z.string(), z.unknown())))
      .describe('All records about the person, by kind, with their stored fields.'),
  })
  .meta({ id: 'PersonalData', description: 'Everything that is stored about a person.' });
export type PersonalData = z.infer<typeof PersonalData>;

/**
 * Stores that the copies of a person's data have to be erased, in the transaction that erases the record. A job erases the copies after the commit
 * (`finish-erasures.ts`).
 */
export async function beginErasure(
  ctx: WriteCtx,
  { kind, id, sought }: { kind: 'customer' | 'affiliate'; id: string; sought: Sought },
): Promise<Erased> {
  const others = await findOthers(ctx, sought, id);
  const kept = [...new Map(others.map((other) => [other.id, { kind: other.kind, id: other.id }])).values()];
  const searched = withoutAddressesOf(others, sought);
  await revokeInvitations(ctx, searched);
  await ctx.db
    .insertInto('erasure')
    .values({
      id: newId('erasure', ctx.clock.now()),
      account_id: ctx.accountId,
      kind,
      subject_id: id,
      sealed_sought: ctx.services.secrets.seal(JSON.stringify(searched)),
      created_at: ctx.now,
      completed_at: null,
      to_review: '[]',
    })
    .execute();
  ctx.afterCommit(() => ctx.services.jobs.send('erasures'));
  return { id, erased_at: ctx.now, completed_at: null, kept, to_review: [] };
}

/** Returns the names of a person that are searched for in texts, in the spellings that people use. */
export function namesOf({
  name,
  first_name,
  last_name,
}: {
  name?: string | null;
  first_name: string | null;
  last_name: string | null;
}): string[] {
  const full = [first_name, last_name].filter((each) => each !== null && each.trim() !== '').join(' ');
  const names = [name ?? '', full].map((each) => each.trim().replaceAll(/\s+/g, ' ')).filter((each) => each.length >= MIN_NAME);
  return [...new Set(names)];
}

/** Names with fewer characters are in too many texts to be searched for. */
const MIN_NAME = 3;

/** An address that another record of the account has, too. */
interface SharedAddress {
  kind: Erased['kept'][number]['kind'];
  id: string;
  address: string;
}

/** Finds the sought addresses that other records of the account have. The erased record has none of them any more. */
export async function findOthers(
  { db, accountId, services }: Pick<Ctx, 'db' | 'accountId' | 'services'>,
  { addresses }: Sought,
  id: string,
): Promise<SharedAddress[]> {
  const sought = sql`any (${[...addresses]}::text[])`;
  const hashes = addresses.flatMap((email) =>
    services.secrets.fingerprints(accountText({ email })).map((hash) => ({ email, hash })),
  );
  const { rows } = await sql<SharedAddress>`
    select 'customer' as kind, customer_id as id, value as address from customer_identity
      where account_id = ${accountId} and kind = 'email' and value = ${sought}
    union
    select 'affiliate', id, address from affiliate
      cross join lateral (select lower(email) as address) its
      where account_id = ${accountId} and address = ${sought} and id <> ${id}
    union
    select 'affiliate', affiliate_id, hashed.email from payout_method
      join unnest(${hashes.map(({ email }) => email)}::text[], ${hashes.map(({ hash }) => hash)}::text[]) hashed (email, hash)
        on hashed.hash = account_hash
      where account_id = ${accountId} and retired_at is null and affiliate_id <> ${id}
    union
    select 'member', user_id, lower(email) from membership join auth_user on auth_user.id = user_id
      where account_id = ${accountId} and lower(email) = ${sought}
    order by 1, 2`.execute(db);
  return rows;
}

/** Leaves out addresses that somebody else has, too. They are not searched for, because they are that person's data. */
export function withoutAddressesOf(others: readonly { address: string }[], sought: Sought): Sought {
  const shared = new Set(others.map(({ address }) => address));
  return { ...sought, addresses: sought.addresses.filter((address) => !shared.has(address)) };
}

/** Revokes the pending invitations to the addresses, which will no longer have one. */
async function revokeInvitations({ db, accountId, now }: WriteCtx, { addresses }: Sought): Promise<void> {
  await sql`
    update invitation set status = 'revoked', revoked_at = ${now}, updated_at = ${now}
    where account_id = ${accountId} and status = 'pending' and lower(email) = any (${[...addresses]}::text[])`.execute(db);
}

/** Returns the erasure of a record that was erased before, or null. */
export async function findErasure({ db, accountId }: WriteCtx, id: string): Promise<Erased | null> {
  const row = await db
    .selectFrom('erasure')
    .select(['created_at', 'completed_at', 'to_review'])
    .where('account_id', '=', accountId)
    .where('subject_id', '=', id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ? { id, erased_at: row.created_at, completed_at: row.completed_at, kept: [], to_review: row.to_review } : null;
}
