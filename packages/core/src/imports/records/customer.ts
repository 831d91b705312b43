import { sql } from 'kysely';
import { z } from 'zod';
import { addClaim } from '../../attribution/claims/claims.ts';
import { lockIdentities } from '../../attribution/claims/customers.ts';
import { MERCHANT } from '../../attribution/decide/facts.ts';
import { get } from '../../platform/call/records.ts';
import { newMerchantColumns } from '../../platform/call/save-merchant-data.ts';
import { externalId } from '../../platform/wire/merchant-data.ts';
import { email, looseName, text, timestamp } from '../../platform/wire/scalars.ts';
import { Affiliate } from '../../program/affiliates/affiliate.entity.ts';
import { type Identity } from '../../program/customer-identities/customer-identity.ts';
import { createCustomer, identitiesOf } from '../../program/customers/customer.service.ts';
import { moveReferral, startReferral } from '../../program/referrals/referral.transitions.ts';
import type { ImportedRow, RecordKind, Verdict } from '../port/record-kind.ts';
import { isComing, namedAffiliate } from './affiliate.ts';

const ImportedCustomer = z.strictObject({
  external_id: externalId().nullable(),
  /** Id at the source, address or token of the affiliate who sent the customer. */
  affiliate: text(255),
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
  link_id: string | null;
  /** A customer of the account who has no affiliate. Null for a new customer. */
  customer_id: string | null;
}

interface Found {
  customers: string[];
  referral_id: string | null;
  bound_to: string | null;
  earlier: string | null;
  affiliate_outcome: string | null;
  affiliate_id: string | null;
  link_id: string | null;
}

/** SQL: the keys of the identities in the data of a row. */
const KEYS_OF_ROW = sql`array_remove(array[
  'email ' || lower(data ->> 'email'), 'psp_customer_id ' || (data ->> 'psp_customer_id'),
  'external_customer_id ' || (data ->> 'external_customer_id')], null)`;

/**
 * Customers with their referrals. They earn from the import on: what they paid before was earned at the former tool. A customer of another affiliate
 * stays with that affiliate.
 */
export const CUSTOMERS: RecordKind<ImportedCustomer, References> = {
  schema: ImportedCustomer,

  lock: (ctx, rows) => lockIdentities(ctx, rows.flatMap(identitiesIn)),

  async check(ctx, of, rows) {
    const keys = rows.map((row) => JSON.stringify(identitiesIn(row)));
    const sought = sql`unnest(${rows.map((row) => row.source_id)}::text[], ${keys}::text[], ${rows.map(({ data }) => data.affiliate)}::text[],
      ${rows.map(({ data }) => data.token)}::text[], ${rows.map(({ data }) => data.external_id)}::text[])`;
    const { rows: found } = await sql<Found>`
      select known.customers, coalesce(
          (select id from referral where account_id = ${ctx.accountId} and external_id = sought.external_id),
          (select id from referral where customer_id = any (known.customers) and affiliate_id = affiliate.record_id limit 1)
        ) as referral_id,
        (select affiliate_id from referral where customer_id = any (known.customers) limit 1) as bound_to,
        (select source_id from data_import_row earlier
          where earlier.import_id = ${of.id} and earlier.kind = 'customer' and earlier.id < own.id
            and ${KEYS_OF_ROW} && array(select concat(value ->> 'kind', ' ', value ->> 'value') from json_array_elements(sought.identities::json))
          order by earlier.id limit 1) as earlier,
        affiliate.outcome as affiliate_outcome, affiliate.record_id as affiliate_id, link.id as link_id
      from ${sought} with ordinality sought (source_id, identities, affiliate, token, external_id, place)
      join data_import_row own on own.import_id = ${of.id} and own.kind = 'customer' and own.source_id = sought.source_id
      left join lateral ${namedAffiliate(of, sql`sought.affiliate`)} affiliate on true
      left join link on link.account_id = ${ctx.accountId} and lower(link.token) = lower(sought.token) and link.affiliate_id = affiliate.record_id
      left join lateral (
        select array_agg(distinct customer_id) as customers
        from json_to_recordset(sought.identities::json) named (kind text, value text)
        join customer_identity identity on identity.account_id = ${ctx.accountId} and identity.kind = named.kind and identity.value = named.value
      ) known on true
      order by place`.execute(ctx.db);
    return found.map((each, i) => verdictOf(each, rows[i]!));
  },

  async make(ctx, _of, { data }, { affiliate_id, link_id, customer_id }) {
    const { external_id, name, converted_at, expires_at } = data;
    const { campaign_id } = await get(ctx, Affiliate, affiliate_id!);
    const created =
      customer_id === null ? createCustomer(ctx, { source: 'merchant', shown_at: ctx.now, name, ...namesIn(data) }) : null;
    const customerId = customer_id ?? created!.id;
    const referral = await startReferral(ctx, {
      affiliate_id: affiliate_id!,
      campaign_id,
      link_id,
      customer: { id: customerId },
      conversion_state: 'lead',
      visited_at: data.created_at ?? ctx.now,
      merchantData: newMerchantColumns({ ...(external_id !== null && { external_id }) }),
      expires_at,
    });
    if (converted_at !== null) moveReferral(ctx, referral, 'conversion', converted_at);
    addClaim(ctx, customerId, referral, { from: ctx.now, madeAt: ctx.now, isProven: true, namedBy: [MERCHANT] });
    return created === null ? [referral.id] : [referral.id, created.id];
  },
};

function verdictOf(found: Found, row: ImportedRow<ImportedCustomer>): Verdict<References> {
  const { customers, referral_id, bound_to, earlier, affiliate_outcome, affiliate_id, link_id } = found;
  if (identitiesIn(row).length === 0) return { outcome: 'skipped', reason: 'no_customer', record_id: null };
  if (earlier !== null) return { outcome: 'skipped', reason: 'repeated', record_id: null };
  if (!isComing(affiliate_outcome)) return { outcome: 'problem', reason: 'affiliate_missing' };
  if (referral_id !== null) return { outcome: 'existing', record_id: referral_id };
  if (bound_to !== null || (customers ?? []).length > 1) return { outcome: 'problem', reason: 'other_affiliate' };
  return { outcome: 'new', references: { affiliate_id, link_id, customer_id: customers?.[0] ?? null } };
}

function namesIn({ email: address, psp_customer_id, external_customer_id }: ImportedCustomer) {
  return { email: address, psp_customer_id, external_customer_id };
}

function identitiesIn({ data }: ImportedRow<ImportedCustomer>): Identity[] {
  return identitiesOf(namesIn(data));
}
