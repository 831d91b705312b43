import { sql } from 'kysely';
import type { Instant } from '../platform/time/instant.ts';
import { earlierOf } from '../platform/time/instant.ts';
import { decide, type Verdict } from './decide/decide.ts';
import { BEGINNING } from './decide/earners.ts';
import type { ClaimFact, Facts, SaleFact } from './decide/facts.ts';
import type { Reader } from './gather/claimants.ts';
import { gatherRewards } from './gather/gather-rewards.ts';
import { readImported } from './gather/gather-sales.ts';
import { readFactsOf } from './gather/gather.ts';

const NEVER = { current: { is_shadow: false }, former: [] };

/** The verdict about all sales of a customer as if nothing was decided yet, and the sales as they are. */
export interface AnewVerdict {
  facts: Facts;
  verdict: Verdict;
  /** With their commissions, by the id of the sale. */
  actual: ReadonlyMap<string, SaleFact>;
}

/**
 * Decides about all sales of a customer, also imported ones, as if this service had always been there: no sale has a commission yet, and claims count from the
 * visits that referrals have. Imported sales have the refunds until `refundedUntil`, and those from before their import. Changes nothing.
 */
export async function decideAnew(reader: Reader, customerId: string, refundedUntil: Instant | null): Promise<AnewVerdict> {
  const known = await readFactsOf(reader, customerId);
  const actual = [...known.sales.filter(({ isOnlyCounted }) => !isOnlyCounted), ...(await readImported(reader, customerId))];
  const visits = await findVisits(reader, known.claims);
  const claims = known.claims.map((claim) => {
    const from = earlierOf(claim.from, visits.get(claim.referral_id ?? '') ?? claim.from);
    return { ...claim, from, madeAt: earlierOf(claim.madeAt, from) };
  });
  const refunds = await findRefunds(reader, actual, refundedUntil);
  const sales = actual.map((fact) => undecided(fact, refunds.get(fact.sale.id) ?? 0));
  const { customer } = known;
  // A shadow is compared by what its sales would have earned here.
  const campaigns = new Map([...known.campaigns].map(([id, campaign]) => [id, { ...campaign, shadow: NEVER }]));
  const rewards = await gatherRewards(reader, { customer, claims, sales, campaigns });
  const facts: Facts = {
    ...known,
    claims,
    sales,
    campaigns,
    before: BEGINNING,
    rewards: rewards && { ...rewards, own: new Map(), bonuses: new Map(), leads: new Map() },
  };
  return { facts, verdict: decide(facts), actual: new Map(actual.map((fact) => [fact.sale.id, fact])) };
}

/** Returns a sale as it was before anything was decided about it. `refunded`: refunds of which the former tool can know. */
function undecided(fact: SaleFact, refunded: number): SaleFact {
  const { sale } = fact;
  const refund_amount_cents = Math.min(sale.refund_amount_cents, Math.max(refunded, sale.imported_refund_cents ?? 0));
  const isReduced = sale.imported_refund_cents !== null && refund_amount_cents < sale.refund_amount_cents;
  return {
    ...fact,
    sale: {
      ...sale,
      ...(isReduced && { refund_amount_cents, credit_note_refund_cents: 0, credit_note_tax_cents: 0 }),
      imported_at: null,
      imported_refund_cents: null,
      referral_id: null,
      affiliate_id: null,
      assigned_referral_id: null,
      no_commission_reason: 'no_referral',
      limits: null,
      contested: null,
      reconsidered_at: null,
      redated_from: null,
    },
    isCreated: true,
    reopenedBy: null,
    commission: null,
    isClaimed: false,
    endedByHand: new Map(),
  };
}

/** Finds the times of the visits by which the referrals of claims began. */
async function findVisits({ db, accountId }: Reader, claims: readonly ClaimFact[]): Promise<Map<string, Instant>> {
  const ids = claims.flatMap(({ referral_id }) => referral_id ?? []);
  const { rows } = await sql<{ id: string; created_at: Instant }>`
    select id, wire_time(created_at) as created_at from referral where account_id = ${accountId} and id = any (${ids}::text[])`.execute(
    db,
  );
  return new Map(rows.map(({ id, created_at }) => [id, created_at]));
}

/** Sums up what sources tell to have gone back of imported sales until a time. */
async function findRefunds({ db }: Reader, sales: readonly SaleFact[], until: Instant | null): Promise<Map<string, number>> {
  const ids = sales.flatMap(({ sale }) => (sale.imported_refund_cents === null ? [] : [sale.id]));
  if (ids.length === 0 || until === null) return new Map();
  const { rows } = await sql<{ sale_id: string; cents: number }>`
    select sale_id, sum((back ->> 'amount')::bigint)::bigint as cents
    from payment cross join lateral (
      select back from jsonb_array_elements(refunds) back where back ->> 'state' = 'done'
      union all select back from jsonb_array_elements(disputes) back where back ->> 'outcome' = 'lost') returned
    where sale_id = any (${ids}::text[]) and (back ->> 'at')::timestamptz <= ${until}::timestamptz
    group by sale_id`.execute(db);
  return new Map(rows.map(({ sale_id, cents }) => [sale_id, cents]));
}
