import { sql } from 'kysely';
import type { WriteCtx } from '../platform/call/context.ts';
import { type Instant, plusDays } from '../platform/time/instant.ts';
import type { AttributionClaimTable } from './attribution-claim.tables.ts';
import { HISTORY, type HistoryRow, historyOf } from './history.ts';
import { CONTINUED, type KnownClaim } from './known-claim.ts';

interface ClaimRow extends Omit<AttributionClaimTable, 'id' | 'account_id' | 'customer_id' | 'created_at'>, HistoryRow {
  expires_at: Instant | null;
  deactivated_at: Instant | null;
  converted_by_hand_at: Instant | null;
  is_test: boolean;
  days_before_referrals_expire: number;
}

/**
 * Loads every claim on a customer (docs/rules/attribution.md#attribution). `convertedAt` is set only for a conversion that was made by hand, i.e. that
 * no customer's sale caused.
 */
export async function loadClaims(ctx: WriteCtx, customerId: string): Promise<KnownClaim[]> {
  const { rows } = await sql<ClaimRow>`
    select told.kind, told.referral_id, told.affiliate_id, told.campaign_id, told.code, told.psp_promotion_code_id, told.sale_id,
      told.claimed_from, told.made_at, told.source, told.last_click, told.before_link, told.proven, referral.expires_at, referral.deactivated_at,
      case when not exists (
        select from sale where sale.referral_id = referral.id and sale.customer_id is not null and sale.charged_at = referral.converted_at
      ) then referral.converted_at end as converted_by_hand_at,
      exists (
        select from promo_code where promo_code.account_id = ${ctx.accountId} and not promo_code.livemode
          and promo_code.psp_promotion_code_id = told.psp_promotion_code_id
      ) as is_test,
      campaign.days_before_referrals_expire, ${HISTORY}
    from attribution_claim told
    left join referral on referral.id = told.referral_id
    join affiliate on affiliate.id = told.affiliate_id
    join campaign on campaign.id = told.campaign_id
    where told.customer_id = ${customerId}`.execute(ctx.db);
  return uniqueClaims(rows.map(knownClaim));
}

function knownClaim(row: ClaimRow): KnownClaim {
  const { referral_id: id, expires_at, deactivated_at } = row;
  const named_id = row.kind === 'link' ? row.source.slice(row.source.indexOf(' ') + 1) : null;
  return {
    key: row.kind === 'code' ? row.source : row.source.startsWith(CONTINUED) ? id! : named_id!,
    kind: row.kind,
    from: row.claimed_from,
    madeAt: row.made_at,
    expiresAt: id === null ? plusDays(row.claimed_from, row.days_before_referrals_expire) : expires_at,
    deactivatedAt: deactivated_at,
    convertedAt: row.converted_by_hand_at,
    ...historyOf(row),
    lastClick: row.last_click,
    beforeLink: row.before_link,
    referral_id: id,
    named_id,
    affiliate_id: row.affiliate_id,
    campaign_id: row.campaign_id,
    code: row.code,
    psp_promotion_code_id: row.psp_promotion_code_id,
    sale_id: row.sale_id,
    isTest: row.is_test,
    isProven: row.proven,
  };
}

/** Removes duplicates, because several facts may name the same referral. */
function uniqueClaims(claims: readonly KnownClaim[]): KnownClaim[] {
  const identity = ({ kind, key, referral_id }: KnownClaim) => (kind === 'link' ? (referral_id ?? key) : key);
  const proven = new Set(claims.filter(({ isProven }) => isProven).map(identity));
  return [...new Map(claims.map((claim) => [identity(claim), { ...claim, isProven: proven.has(identity(claim)) }])).values()];
}

/** Returns the key of the customer's claim by a referral that the merchant named, or null if the customer has no such claim. */
export function keyOfNamed(claims: readonly KnownClaim[], referralId: string | null): string | null {
  if (referralId === null) return null;
  const links = claims.filter(({ kind }) => kind === 'link');
  const own = links.find(({ key, referral_id }) => key === referralId || referral_id === referralId);
  return (own ?? links.find(({ named_id }) => named_id === referralId))?.key ?? null;
}
