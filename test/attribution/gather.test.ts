/** Stored rows become the facts that a decision expects: what `gather` reads is what was stored, and decides the same. */
import { expect, it } from 'vitest';
import { decide } from '../../packages/core/src/attribution/decide/decide.ts';
import { versionAt } from '../../packages/core/src/attribution/decide/eligibility.ts';
import { chargeKey, type ClaimFact, type Facts, NOBODY } from '../../packages/core/src/attribution/decide/facts.ts';
import { readFactsOf } from '../../packages/core/src/attribution/gather/gather.ts';
import { WorkingSet } from '../../packages/core/src/platform/call/working-set.ts';
import { Random } from '../support/random.ts';
import { SEED } from '../support/seed.ts';
import { useService } from '../support/suite.ts';
import { THOROUGH } from '../support/thorough.ts';
import { randomStory, told } from './random-facts.ts';
import { seen } from './seen-verdict.ts';
import { store } from './stored-facts.ts';

const STORIES = Number(process.env['GATHER_STORIES'] ?? (THOROUGH ? 500 : 40));

const service = useService({ writesRows: true });

/** Thrown to roll back the rows of a story. */
class Done extends Error {}

/** Stores facts, and reads them again as the facts of a decision. */
async function readBack(facts: Facts): Promise<Facts> {
  let read: Facts | undefined;
  const stored = service.services.database.kysely.transaction().execute(async (db) => {
    const accountId = await store(db, facts);
    read = await readFactsOf(
      { db, accountId, now: facts.now, services: service.services, records: new WorkingSet() },
      facts.customer!.id,
    );
    throw new Done();
  });
  await stored.catch((error: unknown) => {
    if (!(error instanceof Done)) throw error;
  });
  return read!;
}

/** A code belongs to those who paid the sale that it was redeemed with. */
function asRedeemed(claim: ClaimFact, { sales }: Facts): ClaimFact {
  const fact = sales.find(({ sale }) => sale.id === claim.sale_id);
  if (fact === undefined) return claim;
  const namedBy = [...new Set([...claim.namedBy, ...fact.payer.ids])];
  return { ...claim, key: `${chargeKey(fact.sale)} ${claim.psp_promotion_code_id}`, namedBy };
}

/** A claim by code without a referral has the expiry of its campaign, and cannot be deactivated. */
function asStored(given: ClaimFact, facts: Facts): ClaimFact {
  const { campaigns } = facts;
  const claim = asRedeemed(given, facts);
  if (claim.referral_id !== null) return claim;
  const { days_before_referrals_expire: days } = versionAt(campaigns.get(claim.campaign_id)!.versions, claim.from);
  const expiresAt = new Date(Date.parse(claim.from) + days * 86_400_000).toISOString();
  return { ...claim, expiresAt, deactivatedAt: null, inactive: [] };
}

/** Everything that a decision may depend on, in an order that does not depend on the rows. */
function comparable({ customer, claims, sales, affiliates, campaigns }: Facts) {
  const byKey = <Item>(items: readonly Item[], keyOf: (item: Item) => string) =>
    items.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const used = new Set(claims.flatMap(({ affiliate_id, campaign_id }) => [affiliate_id, campaign_id]));
  return {
    customer,
    claims: byKey(claims, ({ key }) => key).map(({ source: _, ...claim }) => claim),
    sales: byKey(sales, ({ sale }) => sale.id).map(({ sale, commission, ...rest }) => ({
      ...rest,
      sale: { ...sale, updated_at: null },
      commission: commission && {
        affiliate_id: commission.affiliate_id,
        campaign_id: commission.campaign_id,
        referral_id: commission.referral_id,
        amount_cents: commission.amount_cents,
        currency: commission.currency,
        basis_points: commission.basis_points,
        livemode: commission.livemode,
        state: commission.state,
        review_status: commission.review_status,
        review_reason: commission.review_reason,
        voided_by_refund: commission.voided_by_refund,
      },
    })),
    affiliates: byKey([...affiliates.values()], ({ id }) => id).filter(({ id }) => used.has(id)),
    campaigns: byKey([...campaigns.values()], ({ id }) => id)
      .filter(({ id }) => used.has(id))
      .map(({ versions: { current, former }, ...campaign }) => ({
        ...campaign,
        versions: [current, ...former].map(({ archived, commission_basis_points, max_commissions, ...version }) => ({
          archived,
          commission_basis_points,
          max_commissions,
          period: version.max_commission_period_months,
          days: version.days_until_commissions_are_due,
          until: 'until' in version ? version.until : null,
        })),
      })),
  };
}

it(
  `the rows of ${STORIES} random stories become their facts, and have the same verdict`,
  { timeout: 60_000 + STORIES * 500 },
  async () => {
    const random = new Random(SEED);
    for (let nth = 0; nth < STORIES; nth += 1) {
      const world = told(randomStory(random)).facts();
      // The ids in a report of the merchant are in the report, which these sales do not have.
      const sales = world.sales.map((fact) => (fact.sale.livemode === null ? { ...fact, payer: NOBODY } : fact));
      const facts: Facts = { ...world, sales, claims: world.claims.map((claim) => asStored(claim, { ...world, sales })) };
      const read = await readBack(facts);
      expect({ nth, ...comparable(read) }).toEqual({ nth, ...comparable(facts) });
      expect({ nth, ...seen(decide(read)) }).toEqual({ nth, ...seen(decide(facts)) });
    }
  },
);
