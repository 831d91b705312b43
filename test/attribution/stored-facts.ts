/** Stores facts of a decision as rows, as the service stores them when it learns these facts. */
import type { Services } from '@affiliate/core';
import { sql } from 'kysely';
import type { Facts, SaleFact } from '../../packages/core/src/attribution/decide/facts.ts';

type Db = Services['database']['kysely'];

const AT = '2026-01-01T00:00:00.000Z';
const TIMES = { created_at: AT, updated_at: AT };

async function insert(db: Db, table: string, row: Record<string, unknown>): Promise<void> {
  const columns = Object.keys(row);
  await sql`
    insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
    values (${sql.join(columns.map((column) => row[column]))})`.execute(db);
}

/** Inserts an account with the records of the facts. Returns the id of the account. */
export async function store(db: Db, facts: Facts): Promise<string> {
  const account_id = 'account';
  const rows = { account_id, ...TIMES };
  const { shadow } = [...facts.campaigns.values()][0]!;
  const account = {
    id: account_id,
    name: 'Shop',
    slug: account_id,
    currency: 'USD',
    shadow: shadow.current.is_shadow ? 'on' : 'off',
    former_shadows: JSON.stringify(shadow.former),
    code_before_link: facts.claims.some(({ beforeLink }) => beforeLink),
    ...TIMES,
  };
  await insert(db, 'account', account);
  await storeProgram(db, facts, rows);
  const { customer, claims, sales } = facts;
  await insert(db, 'customer', {
    id: customer!.id,
    exclusions: JSON.stringify(customer!.exclusions),
    joins: JSON.stringify(customer!.joins),
    ...rows,
  });
  for (const value of customer!.emails)
    await insert(db, 'customer_identity', {
      account_id,
      kind: 'email',
      value,
      customer_id: customer!.id,
      verified: value !== 'typed@example.com',
      source: 'merchant',
      created_at: AT,
    });
  for (const { referral_id: id, affiliate_id, campaign_id, deactivatedAt, inactive, expiresAt, from, lead } of claims) {
    if (id === null) continue;
    const reactivated_at = inactive.at(-1)?.until ?? null;
    const isBound = customer!.boundReferralId === id;
    await insert(db, 'referral', {
      ...rows,
      id,
      affiliate_id,
      campaign_id,
      customer_id: isBound ? customer!.id : null,
      conversion_state: 'lead',
      metadata: {},
      expires_at: expiresAt,
      deactivated_at: deactivatedAt,
      reactivated_at,
      created_at: lead?.from ?? from,
    });
    for (const { from: deactivated_at, until } of inactive)
      await insert(db, 'referral_deactivation', { referral_id: id, account_id, deactivated_at, until });
  }
  for (const fact of sales) await storeSale(db, fact, rows);
  await storeClaims(db, facts, rows);
  return account_id;
}

type Common = { account_id: string } & typeof TIMES;

async function storeProgram(db: Db, { affiliates, campaigns }: Facts, rows: Common): Promise<void> {
  const { account_id } = rows;
  for (const { id, versions } of campaigns.values()) {
    const { archived, ...terms } = versions.current;
    await insert(db, 'campaign', {
      ...rows,
      ...terms,
      id,
      archived_at: archived ? AT : null,
      terms_changed_at: versions.former.at(-1)?.until ?? null,
      name: id,
      slug: id,
      url: 'https://shop.example',
      private: false,
      private_tokens: false,
      reward_type: 'percent',
      minimum_payout_cents: 0,
      minimum_payout_currency: 'USD',
      customers_visible_to_affiliates: false,
      sale_description_visible_to_affiliates: true,
      parameter_type: 'query',
      is_default: false,
    });
    for (const former of versions.former) await insert(db, 'campaign_terms', { campaign_id: id, account_id, ...former });
  }
  for (const { id, emails, versions } of affiliates.values()) {
    const { state, archived } = versions.current;
    await insert(db, 'affiliate', {
      ...rows,
      id,
      email: emails[0]!,
      state,
      campaign_id: `campaign ${id}`,
      archived_at: archived ? AT : null,
      state_changed_at: versions.former.at(-1)?.until ?? null,
    });
    for (const former of versions.former)
      await insert(db, 'affiliate_state_version', { affiliate_id: id, account_id, ...former });
  }
}

async function storeSale(db: Db, { sale, payer, commission }: SaleFact, rows: Common): Promise<void> {
  const json = (value: unknown) => (value === null ? null : JSON.stringify(value));
  const { report, limits, contested, metadata } = sale;
  await insert(db, 'sale', {
    ...sale,
    report: json(report),
    limits: json(limits),
    contested: json(contested),
    metadata: json(metadata),
  });
  if (sale.livemode !== null)
    await insert(db, 'payment', {
      account_id: rows.account_id,
      updated_at: rows.updated_at,
      sale_id: sale.id,
      version: '1',
      livemode: sale.livemode,
      currency: sale.currency,
      names: sale.names,
      payer: json(payer),
      stray_references: [],
      codes: [],
      refunds: '[]',
      disputes: '[]',
    });
  if (commission === null) return;
  const isVoided = commission.state === 'voided';
  await insert(db, 'commission', {
    ...rows,
    ...commission,
    id: `commission of ${sale.id}`,
    kind: 'sale',
    sale_id: sale.id,
    metadata: {},
    due_at: AT,
    voided_at: isVoided ? AT : null,
  });
}

async function storeClaims(db: Db, { claims, customer }: Facts, { account_id, created_at }: Common): Promise<void> {
  for (const claim of claims) {
    const { key, kind, referral_id, affiliate_id, campaign_id, code, psp_promotion_code_id, sale_id, isTest } = claim;
    if (isTest)
      await insert(db, 'promo_code', {
        id: `promo code of ${key}`,
        account_id,
        affiliate_id,
        campaign_id,
        origin: 'import',
        psp_promotion_code_id: psp_promotion_code_id!,
        code: code!,
        livemode: false,
        tracking_token: key,
        status: 'active',
        observation: '{}',
        observed_at: created_at,
        created_at,
        updated_at: created_at,
      });
    await insert(db, 'attribution_claim', {
      id: `claim ${key}`,
      account_id,
      customer_id: customer!.id,
      kind,
      referral_id,
      affiliate_id,
      campaign_id,
      code,
      psp_promotion_code_id,
      sale_id,
      claimed_from: claim.from,
      made_at: claim.madeAt,
      source: kind === 'link' ? `referral ${key}` : key,
      proven: claim.isProven,
      lead_at: claim.lead?.at ?? null,
      crowded: claim.isCrowded,
      named_by: claim.namedBy,
      created_at,
    });
  }
}
