import { sql } from 'kysely';
import { z } from 'zod';
import { addClaim } from '../../attribution/claims/claims.ts';
import { lockIdentities } from '../../attribution/claims/customers.ts';
import { MERCHANT } from '../../attribution/decide/facts.ts';
import { newMerchantColumns } from '../../platform/call/save-merchant-data.ts';
import { externalId } from '../../platform/wire/merchant-data.ts';
import { email, looseName, text, timestamp } from '../../platform/wire/scalars.ts';
import { type Identity, keyOf } from '../../program/customer-identities/customer-identity.ts';
import { createCustomer, identitiesOf } from '../../program/customers/customer.service.ts';
import { findByToken } from '../../program/links/link-token.ts';
import type { Referral } from '../../program/referrals/referral.entity.ts';
import { startReferral } from '../../program/referrals/referral.transitions.ts';
import type { ImportedRow, RecordKind, Verdict } from '../port/import-kind.ts';
import { findAffiliates, findCampaigns, findEarlier, findOwnCampaigns, isComing } from './find-rows.ts';

const ImportedCustomer = z.strictObject({
  external_id: externalId().nullable(),
  /** Id at the source, address or token of the affiliate who sent the customer. */
  affiliate: text(255),
  /** Id at the source of the campaign in which the customer came. Null for that of the affiliate. */
  campaign: text(255).nullable(),
  /** Token of the link by which the customer came. */
  token: text(255).nullable(),
  psp_customer_id: text(255).nullable(),
  /** The merchant’s own id of the customer. */
  external_customer_id: externalId().nullable(),
  email: email().nullable(),
  name: looseName(200).nullable(),
  created_at: timestamp().nullable(),
  /** Time of the first payment. Null if there was none. */
  converted_at: timestamp().nullable(),
  /** Time at which the referral expires unless it converts before. Null for no limit. */
  expires_at: timestamp().nullable(),
});
export type ImportedCustomer = z.infer<typeof ImportedCustomer>;

interface References {
  affiliate_id: string | null;
  /** Null while the affiliate does not exist. */
  campaign_id: string | null;
  link_id: string | null;
  /** A customer of the account who has no affiliate. Null for a new customer. */
  customer_id: string | null;
}

/**
 * Customers with their referrals. They earn from the import on: what they paid before was earned at the former tool. A customer of another affiliate
 * stays with that affiliate.
 */
export const CUSTOMERS: RecordKind<ImportedCustomer, References> = {
  schema: ImportedCustomer,

  keysOf: (data) => identitiesOf(namesIn(data)).map(keyOf),

  lock: (ctx, rows) => lockIdentities(ctx, rows.flatMap(identitiesIn)),

  async check(ctx, of, rows) {
    const earlier = await findEarlier(ctx, of, 'customer', CUSTOMERS, rows);
    const names = rows.map(({ data }) => data.affiliate);
    const affiliates = await findAffiliates(ctx, of, names);
    const campaigns = await findCampaigns(ctx, of, rows);
    const { db, accountId } = ctx;
    const identities = rows.map(identitiesIn);
    const named = identities.flat();
    const { rows: known } = await sql<Identity & { customer_id: string }>`
      select identity.kind, identity.value, customer_id
      from unnest(${named.map(({ kind }) => kind)}::text[], ${named.map(({ value }) => value)}::text[]) named (kind, value)
      join customer_identity identity on identity.account_id = ${accountId} and identity.kind = named.kind and identity.value = named.value`.execute(
      db,
    );
    const customers = new Map(known.map((identity) => [keyOf(identity), identity.customer_id]));
    const externalIds = rows.flatMap(({ data }) => data.external_id ?? []);
    const { rows: referrals } = await sql<Pick<Referral, 'id' | 'external_id' | 'customer_id' | 'affiliate_id'>>`
      select id, external_id, customer_id, affiliate_id from referral
      where account_id = ${accountId} and external_id = any (${externalIds}::text[])
      union
      select id, external_id, customer_id, affiliate_id from referral
      where account_id = ${accountId} and customer_id = any (${[...new Set(customers.values())]}::text[])`.execute(db);
    const tokens = rows.flatMap(({ data }) => data.token?.toLowerCase() ?? []);
    const byExternalId = new Map(referrals.map((referral) => [referral.external_id, referral]));
    const byCustomer = new Map(referrals.map((referral) => [referral.customer_id, referral]));
    const byToken = await findByToken({ db, accountId }, tokens);
    const campaignOf = await findOwnCampaigns(ctx, affiliates);
    return rows.map(({ data }, i): Verdict<References> => {
      if (identities[i]!.length === 0) return { outcome: 'skipped', reason: 'no_customer', record_id: null };
      if (earlier[i]) return { outcome: 'skipped', reason: 'repeated', record_id: null };
      const affiliate = affiliates.get(data.affiliate);
      if (affiliate === undefined || !isComing(affiliate)) return { outcome: 'problem', reason: 'affiliate_missing' };
      const imported = data.external_id === null ? undefined : byExternalId.get(data.external_id);
      if (imported !== undefined) return { outcome: 'existing', record_id: imported.id };
      const [customer_id = null, ...others] = new Set(identities[i]!.flatMap((identity) => customers.get(keyOf(identity)) ?? []));
      const bound = customer_id === null ? undefined : byCustomer.get(customer_id);
      if (bound !== undefined && bound.affiliate_id === affiliate.record_id) return { outcome: 'existing', record_id: bound.id };
      if (bound !== undefined || others.length > 0) return { outcome: 'problem', reason: 'other_affiliate' };
      const campaign = data.campaign === null ? null : campaigns.get(data.campaign);
      if (campaign !== null && !isComing(campaign)) return { outcome: 'problem', reason: 'campaign_missing' };
      const campaign_id = campaign?.record_id ?? campaignOf.get(affiliate.record_id ?? '') ?? null;
      const link = data.token === null ? undefined : byToken.get(data.token.toLowerCase());
      const link_id = link !== undefined && link.affiliate_id === affiliate.record_id ? link.id : null;
      return { outcome: 'new', references: { affiliate_id: affiliate.record_id, campaign_id, link_id, customer_id } };
    });
  },

  async make(ctx, _of, { data }, { affiliate_id, campaign_id, link_id, customer_id }) {
    const { external_id, name, converted_at, expires_at } = data;
    const created =
      customer_id === null ? createCustomer(ctx, { source: 'merchant', shown_at: ctx.now, name, ...namesIn(data) }) : null;
    const customerId = customer_id ?? created!.id;
    const referral = await startReferral(ctx, {
      affiliate_id: affiliate_id!,
      campaign_id: campaign_id!,
      link_id,
      customer: { id: customerId },
      conversion_state: converted_at === null ? 'lead' : 'conversion',
      visited_at: data.created_at ?? ctx.now,
      ...(converted_at !== null && { arrived_at: converted_at }),
      merchantData: newMerchantColumns({ ...(external_id !== null && { external_id }) }),
      expires_at,
    });
    addClaim(ctx, customerId, referral, { from: ctx.now, madeAt: ctx.now, isProven: true, namedBy: [MERCHANT] });
    return created === null ? [referral.id] : [referral.id, created.id];
  },
};

function namesIn({ email: address, psp_customer_id, external_customer_id }: ImportedCustomer) {
  return { email: address, psp_customer_id, external_customer_id };
}

function identitiesIn({ data }: ImportedRow<ImportedCustomer>): Identity[] {
  return identitiesOf(namesIn(data));
}
