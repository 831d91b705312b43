import { sql } from 'kysely';
import { lockAffiliate } from '../ledger/affiliate-lock.ts';
import { eraseReceivers, findReceivers } from '../payouts/methods/prepared-items.ts';
import type { WriteCtx } from '../platform/call/context.ts';
import { lock } from '../platform/call/records.ts';
import { DomainError } from '../platform/errors/errors.ts';
import { Affiliate, archivedAffiliate } from '../program/affiliates/affiliate.entity.ts';
import { changeAffiliate, endInvitations } from '../program/affiliates/affiliate.service.ts';
import { erasedAddress } from '../program/erasures/personal-data.ts';
import { emailsIn, openAddress } from '../program/payout-methods/payout-addresses.ts';
import { eraseMethods } from '../program/payout-methods/payout-method.ts';
import { beginErasure, type Erased, findErasure, namesOf } from './erasure.ts';
import { eraseRows } from './personal-rows.ts';
import { PRIVACY_REASONS } from './reasons.ts';

/** Columns that tell nothing about the person. The compiler names a new column that is neither one of them nor erased below. */
type Kept =
  | 'id'
  | 'account_id'
  | 'campaign_id'
  | 'user_id'
  | 'external_id'
  | 'livemode'
  | 'state'
  | 'state_changed_at'
  | 'digest'
  | 'emails_ended_at'
  | 'payouts_held_until'
  | 'archived_at'
  | 'erased_at'
  | 'created_at'
  | 'updated_at';

/**
 * Erases an affiliate's personal data (docs/rules/privacy.md#erasing-affiliates): archives the record, which loses name, addresses, payout details
 * and metadata, and ends all access. Commissions and payouts stay. Erasing an erased affiliate returns the erasure.
 *
 * @throws NOT_FOUND; CONFLICT while an export or a run holds a payout of the affiliate, because it needs the payout details
 */
export async function eraseAffiliate(ctx: WriteCtx, { id }: { id: string }): Promise<Erased> {
  await lockAffiliate(ctx, id);
  const affiliate = await lock(ctx, Affiliate, id);
  if (affiliate.erased_at !== null) return (await findErasure(ctx, id))!;
  await assertUnclaimed(ctx, id);
  const { email, user_id } = affiliate;
  const former = await formerAddresses(ctx, id);
  const all = [email, ...former].filter((address) => address !== null);
  const addresses = [...new Set(all.map((address) => address.toLowerCase()))];
  const names = namesOf(affiliate);
  await endInvitations(ctx, affiliate);
  await eraseRows(ctx, { kind: 'affiliate', id, addresses });
  await eraseReceivers(ctx, id, erasedAddress(id));
  const erased: Omit<Affiliate, Kept> = {
    email: erasedAddress(id),
    first_name: null,
    last_name: null,
    billing_details: null,
    psp_customer_id: null,
    metadata: {},
  };
  changeAffiliate(ctx, affiliate, {
    ...archivedAffiliate(affiliate, ctx.now),
    ...erased,
    user_id: null,
    erased_at: ctx.now,
    updated_at: ctx.now,
  });
  ctx.records.concealPrevious('affiliate', id, Object.keys(erased));
  await eraseMethods(ctx, affiliate);
  // Waits for the write of the affiliate, whose row refers to the user.
  await deleteUser(ctx, { user_id, email });
  return beginErasure(ctx, {
    kind: 'affiliate',
    id,
    sought: { addresses, ids: [id], ownIds: [], names, fields: Object.keys(erased) },
  });
}

async function assertUnclaimed({ db, accountId }: WriteCtx, id: string): Promise<void> {
  const claimed = await db
    .selectFrom('payout')
    .select('id')
    .where('account_id', '=', accountId)
    .where('affiliate_id', '=', id)
    .where('status', '=', 'processing')
    .limit(1)
    .executeTakeFirst();
  if (claimed) throw new DomainError('CONFLICT', PRIVACY_REASONS.payout_claimed({ payout: claimed.id }));
}

/** Returns payout addresses of the affiliate, and addresses that the affiliate had before, as far as they are stored. */
async function formerAddresses(ctx: WriteCtx, id: string): Promise<(string | null)[]> {
  const { db, accountId, services } = ctx;
  const { rows } = await sql<{ address: string | null }>`
    select email as address from invitation where account_id = ${accountId} and affiliate_id = ${id}
    union
    select unnest(array[former_email, new_email]) from email_change where affiliate_id = ${id}`.execute(db);
  const methods = await db.selectFrom('payout_method').select('sealed_address').where('affiliate_id', '=', id).execute();
  const own = methods.flatMap(({ sealed_address }) =>
    sealed_address === null ? [] : [openAddress(services.secrets, sealed_address)],
  );
  const receivers = (await findReceivers(ctx, id)).flatMap(({ email, addresses }) => [email, ...emailsIn(addresses)]);
  return [...rows.map(({ address }) => address), ...own.flatMap((address) => emailsIn({ address })), ...receivers];
}

/** Deletes the person's user, unless the user is a member of an account or another account's affiliate. */
async function deleteUser({ db }: WriteCtx, { user_id, email }: { user_id: string | null; email: string }): Promise<void> {
  const { rows } = await sql<{ id: string; email: string }>`
    select id, email from auth_user where id = ${user_id} or (${user_id}::text is null and lower(email) = lower(${email}))`.execute(
    db,
  );
  for (const user of rows) {
    const { numAffectedRows } = await sql`
      delete from auth_user where id = ${user.id}
        and not exists (select from membership where user_id = auth_user.id)
        and not exists (select from affiliate where user_id = auth_user.id or lower(affiliate.email) = lower(auth_user.email))`.execute(
      db,
    );
    if (numAffectedRows === 0n) continue;
    const address = user.email.toLowerCase();
    await sql`delete from sign_in_link where lower(email) = ${address}`.execute(db);
    await sql`delete from password_reset_request where lower(email) = ${address}`.execute(db);
    await sql`delete from auth_verification where lower(identifier) like ${`%${address.replaceAll(/[\\%_]/g, '\\$&')}%`} or value = ${user.id}`.execute(
      db,
    );
  }
}
