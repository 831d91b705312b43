import { type RawBuilder, sql } from 'kysely';
import { isPaused, type PayoutTerms } from '../../identity/sessions/payout-terms.ts';
import type { Ctx, Services } from '../../platform/call/context.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { hintOf, type PayoutAddresses } from '../../program/payout-methods/payout-addresses.ts';
import { NEEDS_REVIEW } from '../commissions/commission.transitions.ts';
import { type MethodTerms, type MethodWords, outlookOf, type OwedFacts, type Payment } from './payment-outlook.ts';
import { HOLDS_PAYOUT, isUnfinished } from './payout-attempt.entity.ts';
import { IS_OPEN } from './payout.entity.ts';
import { obstaclesAt } from './payout.queries.ts';
import type { PaymentOutlook } from './payout.schema.ts';

/** The services that name payments and open their addresses. */
export type NamingServices = Pick<Services, 'secrets' | 'payoutMethods'>;

/** A payment, as it is stored. */
interface Sealed {
  kind: string;
  sealed_receiver: string | null;
}

export interface OwedRow extends Omit<OwedFacts, 'claimed' | 'methods'> {
  affiliate_id: string;
  methods: { kind: string; hint: string }[];
  terms: PayoutTerms[];
  claimed: (Sealed & Pick<Payment, 'amount_cents' | 'affiliate_fee_cents' | 'state' | 'expires_at'>)[];
}

/**
 * SQL query: the facts about what affiliates are owed, one row for each currency in which something is unpaid.
 *
 * @param ids SQL expression: the ids of the affiliates, as an array
 */
export function selectOwed(ids: RawBuilder<unknown>, now: Instant): RawBuilder<OwedRow> {
  return sql<OwedRow>`
    select affiliate.id as affiliate_id, owed.currency, owed.pending_cents, owed.next_due_at, owed.in_review_cents,
      open.amount_cents as open_cents, coalesce(open.reasons, '{}') as reasons,
      case when campaign.minimum_payout_currency = owed.currency then campaign.minimum_payout_cents end as minimum_cents,
      case when affiliate.payouts_held_until > ${now}::timestamptz then affiliate.payouts_held_until end as payouts_held_until,
      account.payout_terms as terms, account.time_zone,
      (select coalesce(json_agg(json_build_object('kind', kind, 'hint', hint) order by kind), '[]') from payout_method
        where payout_method.affiliate_id = affiliate.id and retired_at is null) as methods,
      (select coalesce(json_agg(json_build_object('amount_cents', payout.amount_cents, 'kind', attempt.method, 'state', attempt.state, 'affiliate_fee_cents', attempt.affiliate_fee_cents,
          'sealed_receiver', attempt.sealed_receiver, 'expires_at', wire_time(attempt.expires_at)) order by payout.id), '[]')
        from payout join payout_attempt attempt on attempt.payout_id = payout.id and not attempt.superseded and ${isUnfinished()}
        where payout.affiliate_id = affiliate.id and payout.currency = owed.currency and payout.livemode and payout.status = 'processing') as claimed
    from affiliate join campaign on campaign.id = affiliate.campaign_id join account on account.id = affiliate.account_id
    cross join lateral (
      select currency, coalesce(sum(amount_cents) filter (where is_pending), 0)::bigint as pending_cents,
        min(due_at) filter (where is_pending) as next_due_at, coalesce(sum(amount_cents) filter (where in_review), 0)::bigint as in_review_cents
      from (
        select currency, amount_cents, due_at, state = 'pending' and ${NEEDS_REVIEW} is not true as is_pending, ${NEEDS_REVIEW} is true as in_review
        from commission where commission.affiliate_id = affiliate.id and livemode and state in ('pending', 'due')
        union all
        select currency, 0, null, false, false from payout
        where payout.affiliate_id = affiliate.id and livemode and status in ('open', 'processing')
      ) part
      group by currency
    ) owed
    left join lateral (
      select payout.amount_cents, ${obstaclesAt(now)} as reasons from payout
      where payout.affiliate_id = affiliate.id and payout.currency = owed.currency and payout.livemode and ${IS_OPEN}
    ) open on true
    where affiliate.id = any (${ids}) order by affiliate.id, owed.currency`;
}

/** Returns the outlook of a row of `selectOwed`. */
export function outlookOfRow(
  services: NamingServices,
  { claimed, methods, terms, ...facts }: OwedRow,
  now: Instant,
): PaymentOutlook {
  const named = {
    methods: methods.map((method) => ({
      ...method,
      words: wordsOf(services, method.kind),
      ...termsOf(services, terms, method.kind),
    })),
    claimed: claimed.map((payout) => ({ ...payout, ...paidBy(services, payout), isPaused: isPaused(terms, payout.kind) })),
  };
  return outlookOf({ ...facts, ...named }, now);
}

/** Finds what affiliates are paid next, by currency. */
export async function findOutlooks(
  { db, now, services }: Pick<Ctx, 'db' | 'now' | 'services'>,
  affiliates: readonly { id: string }[],
): Promise<PaymentOutlook[][]> {
  const { rows } = await selectOwed(sql`${affiliates.map(({ id }) => id)}::text[]`, now).execute(db);
  const byAffiliate = Map.groupBy(rows, ({ affiliate_id }) => affiliate_id);
  return affiliates.map(({ id }) => (byAffiliate.get(id) ?? []).map((row) => outlookOfRow(services, row, now)));
}

export type PaymentRow = Sealed & Omit<Payment, 'hint' | 'words' | 'isPaused'> & { payout_id: string; terms: PayoutTerms[] };

/** SQL query: how payouts are or were paid. Open payouts have no row. */
export function selectPayments(payoutIds: readonly string[]): RawBuilder<PaymentRow> {
  return sql<PaymentRow>`
    select payout.id as payout_id, payout.currency, payout.amount_cents, payout.paid_at, payout.payment_reference,
      attempt.method as kind, attempt.affiliate_fee_cents, attempt.state, attempt.expires_at, attempt.sealed_receiver,
      account.payout_terms as terms, account.time_zone
    from payout join account on account.id = payout.account_id join payout_attempt attempt on attempt.payout_id = payout.id and not attempt.superseded
      and case payout.status when 'processing' then ${isUnfinished()} else ${HOLDS_PAYOUT} end
    where payout.id = any (${payoutIds}::text[]) and payout.status in ('processing', 'paid')`;
}

export function paymentOfRow(services: NamingServices, { terms, ...row }: PaymentRow): Payment {
  return { ...row, ...paidBy(services, row), isPaused: isPaused(terms, row.kind) };
}

function wordsOf({ payoutMethods }: NamingServices, kind: string): MethodWords | undefined {
  return payoutMethods.find((method) => method.kind === kind)?.words;
}

/** Returns the terms for a kind of method. Other forms of its addresses have the same terms. */
export function termsOf(
  { payoutMethods }: Pick<NamingServices, 'payoutMethods'>,
  terms: readonly PayoutTerms[],
  kind: string,
): MethodTerms {
  const paidBy = payoutMethods.find((method) => method.kind === kind)?.paidBy ?? kind;
  const quotes = payoutMethods.some((method) => method.kind === paidBy && method.quote !== undefined);
  return { terms: terms.find(({ method }) => method === paidBy), quotes };
}

/** Names the way of a payment, with the hint of the address. Null: the service does not know the address. */
function paidBy(services: NamingServices, { kind, sealed_receiver }: Sealed): Pick<Payment, 'hint' | 'words'> {
  const words = wordsOf(services, kind);
  if (sealed_receiver === null) return { hint: null, words };
  const { addresses, paid_to = kind } = JSON.parse(services.secrets.open(sealed_receiver)) as {
    addresses: PayoutAddresses;
    paid_to?: string;
  };
  const address = Object.hasOwn(addresses, paid_to) ? addresses[paid_to] : undefined;
  return { hint: address === undefined ? null : hintOf(address), words };
}
