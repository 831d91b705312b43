import { post } from '@affiliate/postgres';
import { sql } from 'kysely';
import type { WriteCtx } from '../../platform/call/context.ts';
import type { Locked } from '../../platform/call/locks.ts';
import { insert, lock, newRecordColumns, save } from '../../platform/call/records.ts';
import { changesOfMerchantData, newMerchantColumns } from '../../platform/call/save-merchant-data.ts';
import { sameText } from '../../platform/db/conditions.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { cannotRestore, invalid, noSuch } from '../../platform/errors/errors.ts';
import { type Instant, laterOf } from '../../platform/time/instant.ts';
import { assertAllowed } from '../../platform/trpc/meta.ts';
import { newId } from '../../platform/wire/ids.ts';
import type { AffiliateState } from '../../platform/wire/states.ts';
import { customerWithValue, identityValue } from '../customer-identities/customer-identity.ts';
import { splitAddresses } from '../payout-methods/address-fields.schema.ts';
import { findAddresses, type PayoutAddress } from '../payout-methods/payout-addresses.ts';
import { addMethod } from '../payout-methods/payout-method.ts';
import { PROGRAM_REASONS } from '../reasons.ts';
import { Affiliate, archivedAffiliate } from './affiliate.entity.ts';
import { type AffiliateChanges, affiliateRecord, type CreateAffiliate, type PlainAffiliate } from './affiliate.ts';

/**
 * Carries the debts of archived affiliates over to a new affiliate with the same email address (docs/rules/ledger.md#debts). A parameter of
 * everything that creates affiliates, because debts are in a room above this one.
 */
export type CarryDebts = (ctx: WriteCtx, affiliateId: string, formerIds: readonly string[]) => Promise<void>;

/**
 * Creates an affiliate in the given campaign, or in the account's default campaign if none is given. Carries over the debts of archived affiliates with the same address.
 *
 * @throws VALIDATION_ERROR for a missing or archived campaign, and for an email address or external id that is taken
 */
export async function createAffiliate(ctx: WriteCtx, input: CreateAffiliate, carryDebts: CarryDebts): Promise<PlainAffiliate> {
  return (await newAffiliate(ctx, input, carryDebts)).record;
}

async function newAffiliate(
  ctx: WriteCtx,
  input: CreateAffiliate,
  carryDebts: CarryDebts,
): Promise<{ affiliate: Locked<Affiliate>; record: PlainAffiliate }> {
  const { campaign_id, psp_customer_id, former_ids, emails_ended_at } = await campaignToJoin(ctx, input.campaign_id, input.email);
  const affiliate = insert(ctx, Affiliate, {
    ...newRecordColumns(ctx, newId('affiliate', ctx.clock.now())),
    campaign_id,
    user_id: null,
    email: input.email,
    first_name: input.first_name ?? null,
    last_name: input.last_name ?? null,
    state: input.state ?? 'active',
    ...newMerchantColumns(input),
    psp_customer_id,
    payouts_held_until: null,
    digest: 'weekly',
    emails_ended_at,
    billing_details: null,
    archived_at: null,
    erased_at: null,
    state_changed_at: null,
  });
  const addresses: Record<string, PayoutAddress> = {};
  for (const [kind, address] of splitAddresses(input).addresses) {
    if (address === null) continue;
    addMethod(ctx, affiliate.id, kind, address);
    addresses[kind] = address;
  }
  if (former_ids.length > 0) await carryDebts(ctx, affiliate.id, former_ids);
  return { affiliate, record: affiliateRecord(affiliate, addresses) };
}

/**
 * Creates an affiliate on behalf of the merchant. If its state is `disabled`, `suspicious` or `rejected`, revokes a pending invitation to
 * its address.
 *
 * @throws VALIDATION_ERROR for the same reasons as `createAffiliate`; FORBIDDEN for payout details from a caller who may not write payouts
 */
export async function addAffiliate(ctx: WriteCtx, input: CreateAffiliate, carryDebts: CarryDebts): Promise<PlainAffiliate> {
  if ([...splitAddresses(input).addresses.values()].some((address) => address !== null))
    assertAllowed(ctx.principal, ctx.surface, { resource: 'payouts', action: 'write' });
  const { affiliate, record } = await newAffiliate(ctx, input, carryDebts);
  if (isTurnedAway(affiliate)) await endInvitations(ctx, affiliate);
  return record;
}

function isTurnedAway({ state, archived_at }: Affiliate): boolean {
  return archived_at === null && state !== 'active' && state !== 'pending';
}

/**
 * Changes the given fields. `archived_at: null` restores an archived
 * affiliate (docs/rules/program.md#archived-records). To change the state, call `updateApplicant`, which also handles a decision about an
 * applicant.
 *
 * Revokes a pending invitation to the affiliate's former or current address if the state changes to any state but `active`. Also revokes it
 * if a `disabled`, `suspicious` or `rejected` affiliate is restored or gets another address.
 *
 * @throws NOT_FOUND, VALIDATION_ERROR; CONFLICT if the affiliate cannot be restored
 */
export async function updateAffiliate(
  ctx: WriteCtx,
  { id, campaign_id, archived_at, external_id, metadata, ...columns }: AffiliateChanges,
): Promise<PlainAffiliate> {
  const affiliate = await lock(ctx, Affiliate, id);
  const { state: formerState, email: formerEmail } = affiliate;
  const changes: Partial<Affiliate> = {
    ...columns,
    ...changesOfMerchantData(affiliate, { external_id, metadata }),
    updated_at: ctx.now,
  };
  if (campaign_id !== undefined && campaign_id !== affiliate.campaign_id)
    changes.campaign_id = (await campaignToJoin(ctx, campaign_id, affiliate.email)).campaign_id;
  const newEmail = columns.email?.toLowerCase() === formerEmail.toLowerCase() ? undefined : columns.email;
  if (newEmail !== undefined) {
    const { rows } = await sql<{
      id: string | null;
    }>`select ${providerCustomer(ctx.accountId, identityValue('email', newEmail))} as id`.execute(ctx.db);
    changes.psp_customer_id = rows[0]!.id;
  }
  const isRestored = archived_at === null && affiliate.archived_at !== null;
  if (isRestored) {
    await assertRestorable(ctx, { ...affiliate, ...changes });
    changes.archived_at = null;
  }
  changeAffiliate(ctx, affiliate, changes);
  if (affiliate.state !== formerState && affiliate.state !== 'active') await endInvitations(ctx, affiliate, formerEmail);
  else if ((newEmail !== undefined || isRestored) && isTurnedAway(affiliate)) await endInvitations(ctx, affiliate);
  return affiliateRecord(affiliate, await findAddresses(ctx, id));
}

/** Throws CONFLICT if another affiliate has the address or the external id or is the same person, or if the campaign is archived. */
async function assertRestorable(ctx: WriteCtx, affiliate: Affiliate): Promise<void> {
  const { id, email, external_id, user_id, campaign_id } = affiliate;
  const { rows } = await sql<Record<'email' | 'external_id' | 'user' | 'campaign', boolean | null>>`
    select bool_or(${sameText('email', email)}) as email, bool_or(external_id = ${external_id}) as external_id,
      bool_or(user_id = ${user_id}) as user, (select archived_at is not null from campaign where id = ${campaign_id} and account_id = ${ctx.accountId}) as campaign
    from affiliate
    where account_id = ${ctx.accountId} and archived_at is null and id <> ${id}
      and (${sameText('email', email)} or external_id = ${external_id} or user_id = ${user_id})`.execute(ctx.db);
  const found = rows[0]!;
  if (found.email) throw cannotRestore('email_taken', PROGRAM_REASONS.email_taken_meanwhile);
  if (found.external_id) throw cannotRestore('external_id_taken', PROGRAM_REASONS.external_id_taken_meanwhile);
  if (found.user) throw cannotRestore('user_taken', PROGRAM_REASONS.person_taken_meanwhile);
  if (found.campaign) throw cannotRestore('campaign_archived', PROGRAM_REASONS.campaign_of_affiliate_archived);
}

/**
 * Archives an affiliate. The affiliate is no longer listed and earns nothing from new sales, but keeps past earnings. Revokes a pending
 * invitation to the affiliate's address. Has no effect on an archived affiliate.
 */
export async function archiveAffiliate(ctx: WriteCtx, { id }: { id: string }): Promise<PlainAffiliate> {
  const affiliate = await lock(ctx, Affiliate, id);
  if (affiliate.archived_at === null) await endInvitations(ctx, affiliate);
  changeAffiliate(ctx, affiliate, archivedAffiliate(affiliate, ctx.now));
  return affiliateRecord(affiliate, await findAddresses(ctx, id));
}

/**
 * Returns the campaign that an affiliate joins, which is the account's default campaign if `id` is undefined. Also returns the id of the
 * payment provider's customer who has the affiliate's email address, the ids of archived affiliates with this address, and the time at which the last of
 * them ended the emails of the program.
 */
async function campaignToJoin(
  ctx: WriteCtx,
  id: string | undefined,
  email: string,
): Promise<{ campaign_id: string; psp_customer_id: string | null; former_ids: string[]; emails_ended_at: Instant | null }> {
  const [found] = await findCampaign(ctx.db, { accountId: ctx.accountId, id, email, address: identityValue('email', email) });
  if (!found)
    throw id === undefined
      ? invalid('campaign_id', PROGRAM_REASONS.no_default_campaign, 'required')
      : invalid('campaign_id', noSuch('campaign'), 'not_found');
  if (found.archived_at !== null) throw invalid('campaign_id', PROGRAM_REASONS.campaign_archived, 'archived');
  return found;
}

const findCampaign = prepared((db, { accountId, id, email, address }: JoiningAffiliate) => {
  const campaigns = db
    .selectFrom('campaign')
    .select([
      'id as campaign_id',
      'archived_at',
      providerCustomer(accountId, address).as('psp_customer_id'),
      sql<string[]>`array(
        select id from affiliate where account_id = ${accountId} and archived_at is not null and ${sameText('email', email)} order by id)`.as(
        'former_ids',
      ),
      sql<Instant | null>`(
        select emails_ended_at from affiliate where account_id = ${accountId} and archived_at is not null and ${sameText('email', email)}
        order by id desc limit 1)`.as('emails_ended_at'),
    ])
    .where('account_id', '=', accountId);
  return id === undefined ? campaigns.where('is_default', '=', true) : campaigns.where('id', '=', id);
});

interface JoiningAffiliate {
  accountId: string;
  id: string | undefined;
  email: string;
  /** The email address as an identity of a customer (`identityValue`). */
  address: string;
}

/** SQL expression: the id of the payment provider's customer with this email address (`identityValue`), or null if the provider has reported none. */
function providerCustomer(accountId: string, address: string) {
  return sql<string | null>`(
    select psp_customer_id from customer where id = ${customerWithValue(accountId, 'email', address)})`;
}

/**
 * Writes the changes of an affiliate, and keeps the state that they end, because a sale is decided by the state at the time of its charge
 * (docs/rules/attribution.md#history). Nothing else changes the state or archives an affiliate.
 */
export function changeAffiliate(ctx: WriteCtx, affiliate: Locked<Affiliate>, changes: Partial<Affiliate>): void {
  const { state = affiliate.state, archived_at = affiliate.archived_at } = changes;
  const [was, is] = [affiliate.archived_at !== null, archived_at !== null];
  if (state === affiliate.state && was === is) return save(ctx, Affiliate, affiliate, changes);
  // The clocks of processes differ. If the change ended the state before the last change did, the order of both would be reversed for good.
  const until = laterOf(ctx.now, affiliate.state_changed_at ?? ctx.now);
  const former = ctx.db
    .insertInto('affiliate_state_version')
    .values({ affiliate_id: affiliate.id, until, account_id: ctx.accountId, state: affiliate.state, archived: was })
    // Of two changes in the same millisecond, the first ends the state that was in force before.
    .onConflict((conflict) => conflict.doNothing());
  post(ctx.db, former.compile());
  save(ctx, Affiliate, affiliate, { ...changes, state_changed_at: until });
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    /** A former state of an affiliate, in force until `until` and since the `until` before it, if any. The row of the affiliate has the current one. */
    affiliate_state_version: {
      affiliate_id: string;
      until: Instant;
      account_id: string;
      state: AffiliateState;
      archived: boolean;
    };
  }
}

/**
 * Revokes the pending invitations to the affiliate's address, because accepting one would undo a later decision of the merchant
 * (docs/rules/program.md#invitations). Accepting an invitation locks the affiliate too.
 *
 * @param formerEmail address that the affiliate had before this change
 */
export async function endInvitations(
  { db, accountId, now }: WriteCtx,
  { email }: Locked<Affiliate>,
  formerEmail = email,
): Promise<void> {
  const emails = [email, formerEmail];
  await sql`
    update invitation set status = 'revoked', revoked_at = ${now}, updated_at = ${now}
    where account_id = ${accountId} and kind = 'affiliate' and status = 'pending'
      and lower(email) in (select lower(address) from unnest(${emails}::text[]) address)`.execute(db);
}
