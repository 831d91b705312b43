/** The gap of a sale that earned no commission: the missing fact, and the change that would have made it count (docs/rules/intake.md#payments-without-an-affiliate). */
import { sql } from 'kysely';
import { type NoCommissionReason, type PaidOutside } from '../../ledger/sales/sale.entity.ts';
import type { Ctx } from '../../platform/call/context.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { PAYMENT_WAYS, type PaymentWay } from '../../sources/port/seen.ts';
import { NAMING_LINES } from '../../sources/psp-wire.ts';
import type { SaleGap } from './sale-gap.schema.ts';

type Gap = SaleGap['gap'];

/** The known facts about a sale without a commission. */
export interface GapFacts {
  reason: NoCommissionReason;
  /** True if only the merchant has reported the sale. */
  isReported: boolean;
  paidOutside: PaidOutside | null;
  /** Null if no event says how the customer paid. */
  way: PaymentWay | null;
  /** The line of code that names the referral at the provider. Null if it depends on the way in which the customer pays. */
  line: string | null;
  /** A reference that the payment or its customer named, and that is not a referral. */
  strayReference: string | null;
  unknownCodes: readonly string[];
  /** Time of the first claim that was made after the charge although its visit came before, or null. */
  claimedLaterAt: Instant | null;
}

/** Returns what a sale lacked. The result depends on nothing but the facts. */
export function gapOfSale(facts: GapFacts): SaleGap {
  const { reason, isReported, line, strayReference, unknownCodes } = facts;
  const way = isReported ? 'report' : line === null ? (facts.way ?? 'payment') : 'payment';
  const gap = gapOf(facts);
  const isUnnamed = gap === 'no_reference' || gap === 'unknown_reference';
  const named_at = gap === 'named_later' ? facts.claimedLaterAt : null;
  const reference = gap === 'unknown_reference' ? strayReference : null;
  const unknown_codes = isUnnamed ? [...unknownCodes] : [];
  return {
    gap,
    way,
    reference,
    unknown_codes,
    named_at,
    explanation: explanationOf({ gap, way, reason, reference, unknown_codes, named_at }),
    fixes: fixesOf(gap, (isReported ? null : line) ?? LINES[way], unknown_codes),
  };
}

function gapOf({ reason, paidOutside, strayReference, claimedLaterAt }: GapFacts): Gap {
  if (reason === 'excluded') return paidOutside === 'excluded' ? 'paid_outside' : 'excluded';
  const isUnclaimed = reason === 'no_referral' || reason === 'before_visit';
  if (!isUnclaimed) return reason;
  if (strayReference !== null) return 'unknown_reference';
  if (claimedLaterAt !== null) return 'named_later';
  return reason === 'before_visit' ? reason : 'no_reference';
}

/** The line of code that names the referral, by the way in which the sale reached the service. */
const LINES: Record<SaleGap['way'], string> = { ...NAMING_LINES, report: 'POST /track/sales { …, "referral_id": referralId }' };

/** Settings that decide about a gap, by the names that they have in the API. */
const SETTINGS: Partial<Record<Gap, string>> = {
  referral_expired: 'campaign.days_before_referrals_expire',
  referral_deactivated: 'referral.deactivated_at: null',
  affiliate_inactive: 'affiliate.state: active',
  campaign_archived: 'campaign.archived_at: null',
  max_commissions_reached: 'campaign.max_commissions',
  commission_period_over: 'campaign.max_commission_period_months',
  shadow: 'shadow.state: off',
  paid_outside: 'pspConnection.outside_payments: count',
};

function fixesOf(gap: Gap, line: string, unknownCodes: readonly string[]): SaleGap['fixes'] {
  const setting = SETTINGS[gap];
  if (setting !== undefined) return [{ kind: 'setting', text: setting }];
  switch (gap) {
    case 'no_reference':
    case 'unknown_reference':
    case 'named_later':
      return [
        { kind: 'code', text: line },
        ...unknownCodes.map((code) => ({ kind: 'setting' as const, text: `promo_codes.psp_promotion_code_id: ${code}` })),
      ];
    case 'before_visit':
      return [{ kind: 'code', text: LINES.report }];
    case 'excluded':
      // An empty value removes the key from the metadata at the provider.
      return [{ kind: 'code', text: "metadata: { affiliate: '' }" }];
    default:
      return [];
  }
}

/** The place where the referral could have been named, by the way in which the customer pays. */
const UNNAMED: Record<SaleGap['way'], string> = {
  payment_link: 'The payment link was opened without client_reference_id.',
  checkout: 'The checkout had no client_reference_id.',
  subscription: 'Neither the subscription nor its customer names a referral in the metadata.',
  invoice: 'Neither the invoice nor its customer names a referral in the metadata.',
  payment: 'Neither the payment nor its customer names a referral in the metadata.',
  report: 'The report named neither a referral nor the promo code of an affiliate.',
};

const EXPLANATIONS: Record<Exclude<Gap, 'no_reference' | 'unknown_reference' | 'named_later'>, string> = {
  before_visit:
    'The customer paid before the first visit through the affiliate’s link. Only a report that names the referral counts then.',
  referral_expired: 'The referral had expired before the payment.',
  referral_deactivated: 'The referral was deactivated at the time of the payment.',
  affiliate_inactive: 'The affiliate was not active at the time of the payment.',
  campaign_archived: 'The campaign was archived at the time of the payment.',
  max_commissions_reached: 'The campaign’s number of commissions per referral was reached.',
  commission_period_over: 'The period in which the campaign pays commissions was over.',
  nothing_to_earn: 'No amount was left to earn from, or the campaign paid nothing.',
  excluded: 'The metadata of the payment or its customer say that nobody earns.',
  shadow: 'Your former tool still decided at the time of the payment what sales earn.',
  paid_outside:
    'The invoice was marked as paid outside the payment provider, and by your settings nobody earns from such payments.',
};

function explanationOf({
  gap,
  way,
  reference,
  unknown_codes: codes,
  named_at,
}: Pick<SaleGap, 'gap' | 'way' | 'reference' | 'unknown_codes' | 'named_at'> & { reason: NoCommissionReason }): string {
  const unknown = codes.map((code) => ` The promotion code ${code} belongs to no affiliate.`).join('');
  switch (gap) {
    case 'no_reference':
      return UNNAMED[way] + unknown;
    case 'unknown_reference':
      return `The reference “${reference}” is neither the ID of a referral nor the token of a link that can earn.${unknown}`;
    case 'named_later':
      return `The referral was named only at ${named_at}, after this payment.`;
    default:
      return EXPLANATIONS[gap];
  }
}

interface Row {
  id: string;
  reason: NoCommissionReason;
  is_reported: boolean;
  paid_outside: PaidOutside | null;
  ways: PaymentWay[];
  source: string | null;
  stray_reference: string | null;
  unknown_codes: string[];
  claimed_later_at: string | null;
}

/** Returns what each of the sales lacked, in the order of the sales. Null for a sale that earned a commission. Takes one statement. */
export async function findGaps({ db, accountId, services }: Ctx, sales: readonly { id: string }[]): Promise<(SaleGap | null)[]> {
  // The customer's first checkout says how the customer pays later invoices.
  const { rows } = await sql<Row>`
    select sale.id, sale.no_commission_reason as reason, sale.paid_outside,
      (sale.livemode is null and sale.external_id is not null) as is_reported,
      (select source from connection where connection.id = sale.connection_id) as source,
      array(
        select way from payment where sale_id = sale.id and way is not null
        union select first.way from (
          select paid.way from sale earlier join payment paid on paid.sale_id = earlier.id
          where earlier.account_id = ${accountId} and earlier.customer_id = sale.customer_id and earlier.charged_at <= sale.charged_at
            and paid.way in ('checkout', 'payment_link')
          order by earlier.charged_at limit 1) first
      ) as ways,
      (
        select min(reference) from (
          select unnest(stray_references) as reference from payment where sale_id = sale.id
          union all select stray_reference from customer where customer.id = sale.customer_id
        ) named
        where reference is not null and not exists (
          select from referral where referral.account_id = ${accountId} and referral.id = named.reference)
      ) as stray_reference,
      array(
        select distinct code from payment, unnest(codes) code
        where sale_id = sale.id and not exists (
          select from promo_code
          where promo_code.account_id = ${accountId} and promo_code.livemode = sale.livemode and psp_promotion_code_id = code)
        order by code
      ) as unknown_codes,
      (
        select wire_time(min(made_at)) from attribution_claim claim
        left join referral on referral.id = claim.referral_id
        where claim.customer_id = sale.customer_id and claim.made_at > sale.charged_at
          and (claim.kind = 'code' or date_trunc('second', referral.created_at) <= sale.charged_at)
      ) as claimed_later_at
    from sale
    where sale.account_id = ${accountId} and sale.id = any(${sales.map(({ id }) => id)}) and sale.no_commission_reason is not null`.execute(
    db,
  );
  const gaps = new Map(
    rows.map((row) => [
      row.id,
      gapOfSale({
        reason: row.reason,
        isReported: row.is_reported,
        paidOutside: row.paid_outside,
        way: PAYMENT_WAYS.find((way) => row.ways.includes(way)) ?? null,
        line: services.sources.get(row.source ?? '')?.namingLine ?? null,
        strayReference: row.stray_reference,
        unknownCodes: row.unknown_codes,
        claimedLaterAt: row.claimed_later_at,
      }),
    ]),
  );
  return sales.map(({ id }) => gaps.get(id) ?? null);
}
