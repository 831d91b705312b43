import { sql } from 'kysely';
import { z } from 'zod';
import type { Ctx } from '../../platform/call/context.ts';
import { deeper, expandable, toOne } from '../../platform/call/expand.ts';
import { amountIn, inLanguage } from '../../platform/mail/in-language.ts';
import type { Texts } from '../../platform/texts/texts.ts';
import { csvPosition } from '../../platform/wire/csv.ts';
import { amountRange, createdRange, idsFilter, modeFilter, oneOrMore, updatedRange } from '../../platform/wire/filters.ts';
import { sortBy } from '../../platform/wire/list-order.ts';
import { merchantDataFilters } from '../../platform/wire/merchant-data.ts';
import { checkedInParts, pageInput, paginated } from '../../platform/wire/pagination.ts';
import { id } from '../../platform/wire/scalars.ts';
import { PAYOUT_STATES } from '../../platform/wire/states.ts';
import { toAffiliate } from '../../program/affiliates/affiliate.ts';
import { CAMPAIGN, CampaignRecord } from '../../program/campaigns/campaign.ts';
import { findSharedAccounts } from '../../program/payout-methods/payout-addresses.ts';
import { SharedAccount } from '../../program/payout-methods/payout-method.schema.ts';
import { findCommissionsOfPayouts, findUnderReview } from '../commissions/commission.queries.ts';
import { AmountExplanation, PlainCommission, UnderReview } from '../commissions/commission.schema.ts';
import { type Amount, explanation, step, withRest } from '../commissions/explain-amounts.ts';
import { SALE } from '../sales/sale.queries.ts';
import { SaleRecord } from '../sales/sale.schema.ts';
import { feeIn } from './payment-outlook.ts';
import { HOLDS_PAYOUT } from './payout-attempt.entity.ts';
import { findAttemptsOfPayouts, PayoutAttemptRecord } from './payout-attempt.ts';
import { IS_UNCLEARED, isOfNow, type PayoutScreening } from './payout-screening.entity.ts';
import { PlainPayout } from './payout.schema.ts';

const partsOfCommission = expandable<PlainCommission>()({
  campaign: { schema: CampaignRecord, ...toOne('campaign_id', CAMPAIGN) },
  sale: { schema: SaleRecord, ...toOne('sale_id', SALE) },
});
const commissions = deeper(PlainCommission, partsOfCommission, {
  id: 'CommissionOfPayout',
  description: 'A commission of a payout, on request with its campaign and sale.',
});

export const payoutExpansions = expandable<PlainPayout>()({
  affiliate: toAffiliate,
  commissions: { schema: z.array(commissions.schema), load: findCommissionsOfPayouts, nested: commissions.nested },
  attempts: { schema: z.array(PayoutAttemptRecord), load: findAttemptsOfPayouts },
  shared_accounts: {
    schema: z.array(SharedAccount),
    load: (ctx, rows) =>
      findSharedAccounts(
        ctx,
        rows.map(({ affiliate_id }) => affiliate_id),
      ),
  },
  under_review: { schema: UnderReview, load: findUnderReview },
  explanation: { schema: AmountExplanation, load: explainPayouts },
});

export const PayoutRecord = z
  .object({ ...PlainPayout.shape, ...payoutExpansions.output })
  .meta({ id: 'Payout', description: 'Commissions of one affiliate in one currency and mode that are paid together.' });
export type PayoutRecord = z.infer<typeof PayoutRecord>;

export const GetPayout = z.strictObject({ id: id('payout'), ...payoutExpansions.input });

const filters = {
  ...updatedRange,
  ...createdRange,
  ...amountRange,
  ...merchantDataFilters,
  affiliate_id: id('affiliate').optional(),
  campaign_id: id('campaign').optional().describe('Returns the payouts of affiliates in the campaign.'),
  payment_reference: z.string().max(255).optional().describe('Filters by exact `payment_reference`.'),
  ...idsFilter('payout'),
  state: oneOrMore(PAYOUT_STATES),
  livemode: modeFilter(),
};

export const ListPayouts = z.strictObject({
  ...pageInput,
  ...sortBy('updated_at', 'amount_cents'),
  ...payoutExpansions.input,
  ...filters,
  eligible: z
    .boolean()
    .optional()
    .describe(
      '`true`: returns all eligible payouts without pagination; only live payouts, unless `livemode` is `false`. `false`: returns only payouts that are not eligible.',
    ),
});
export type ListPayouts = z.infer<typeof ListPayouts>;

export const PayoutsAsCsv = z.strictObject({ ...csvPosition, ...sortBy('updated_at', 'amount_cents'), ...filters });
export type PayoutsAsCsv = z.infer<typeof PayoutsAsCsv>;

const page = paginated(PayoutRecord);

/** With `eligible=true` the list is complete and has no `pagination`. */
export const PayoutPage = checkedInParts(
  page.extend({ pagination: page.shape.pagination.optional().describe('Omitted with `eligible=true`.') }),
);

const PAYOUT_TEXTS = {
  kinds: {
    sale: {
      en: { one: '{count} commission for a sale: {amount}.', other: '{count} commissions for sales: {amount}.' },
      de: { one: '{count} Provision für einen Verkauf: {amount}.', other: '{count} Provisionen für Verkäufe: {amount}.' },
    },
    bonus: {
      en: { one: '{count} bonus on top of a sale: {amount}.', other: '{count} bonuses on top of sales: {amount}.' },
      de: { one: '{count} Bonus zu einem Verkauf: {amount}.', other: '{count} Boni zu Verkäufen: {amount}.' },
    },
    lead: {
      en: { one: '{count} reward for a lead: {amount}.', other: '{count} rewards for leads: {amount}.' },
      de: {
        one: '{count} Provision für einen Interessenten: {amount}.',
        other: '{count} Provisionen für Interessenten: {amount}.',
      },
    },
    milestone: {
      en: { one: '{count} milestone: {amount}.', other: '{count} milestones: {amount}.' },
      de: { one: '{count} Meilenstein: {amount}.', other: '{count} Meilensteine: {amount}.' },
    },
    adjustment: {
      en: {
        one: '{count} adjustment of an earlier commission: {amount}.',
        other: '{count} adjustments of earlier commissions: {amount}.',
      },
      de: {
        one: '{count} Korrektur einer früheren Provision: {amount}.',
        other: '{count} Korrekturen früherer Provisionen: {amount}.',
      },
    },
    manual: {
      en: { one: '{count} commission entered by hand: {amount}.', other: '{count} commissions entered by hand: {amount}.' },
      de: {
        one: '{count} von Hand eingetragene Provision: {amount}.',
        other: '{count} von Hand eingetragene Provisionen: {amount}.',
      },
    },
    imported: {
      en: { one: '{count} imported commission: {amount}.', other: '{count} imported commissions: {amount}.' },
      de: { one: '{count} übernommene Provision: {amount}.', other: '{count} übernommene Provisionen: {amount}.' },
    },
  },
  screening: {
    hit: {
      en: 'Not paid before a person has compared the affiliate with “{name}” ({entry}) on the list {list} of {date}, and released the hit.',
      de: 'Wird erst gezahlt, wenn eine Person den Partner mit „{name}“ ({entry}) auf der Liste {list} vom {date} verglichen und den Treffer freigegeben hat.',
    },
    unavailable: {
      en: 'Not paid before the name of the affiliate could be compared with lists: it is missing, no list is loaded, or a list is too old.',
      de: 'Wird erst gezahlt, wenn sich der Name des Partners mit Listen vergleichen ließ: Er fehlt, es ist keine Liste geladen, oder eine Liste ist zu alt.',
    },
    waiting: {
      en: 'Not paid before the affiliate has been compared with the current lists.',
      de: 'Wird erst gezahlt, wenn der Partner mit den aktuellen Listen verglichen ist.',
    },
  },
  rest: {
    moved: {
      en: 'Amounts that this payout carries to another one, or takes over.',
      de: 'Beträge, die diese Auszahlung an eine andere abgibt oder von ihr übernimmt.',
    },
  },
} as const satisfies Texts;

/** Explains the amounts of payouts by the kinds of their commissions. */
async function explainPayouts(ctx: Ctx, payouts: readonly (Amount & { id: string })[]): Promise<AmountExplanation[]> {
  const held = await findCommissionsOfPayouts(ctx, payouts);
  const { rows: payments } = await sql<{ payout_id: string; affiliate_fee_cents: number }>`
    select payout_id, affiliate_fee_cents from payout_attempt attempt
    where payout_id = any (${payouts.map(({ id }) => id)}::text[]) and affiliate_fee_cents > 0 and ${HOLDS_PAYOUT}`.execute(
    ctx.db,
  );
  const screenings = await findHolding(ctx, payouts);
  return payouts.map(({ id, amount_cents, currency }, at) => {
    const byKind = Map.groupBy(held[at]!, ({ kind }) => kind);
    const steps = [...byKind].map(([kind, commissions]) => {
      const sum = commissions.reduce((total, each) => total + each.amount_cents, 0);
      return step(
        'commissions',
        (language) =>
          inLanguage(language)(PAYOUT_TEXTS.kinds[kind], {
            count: commissions.length,
            amount: amountIn(language, { amount_cents: sum, currency }),
          }),
        sum,
      );
    });
    const rest = withRest(steps, amount_cents, (language) => inLanguage(language)(PAYOUT_TEXTS.rest.moved));
    const fee = payments.find(({ payout_id }) => payout_id === id)?.affiliate_fee_cents ?? 0;
    const sum = { amount_cents, currency };
    const taken = fee === 0 ? [] : [step('fee', (language) => feeIn(language, { amount_cents: fee, currency }, sum), null)];
    return explanation([...rest, ...taken, ...heldBy(screenings.get(id))], sum);
  });
}

type Holding = Pick<PayoutScreening, 'result' | 'lists' | 'matches' | 'held'>;

/** Finds the unpaid payouts whose affiliates have not been cleared, with the last screening, if there is one. */
async function findHolding({ db, accountId }: Ctx, payouts: readonly { id: string }[]): Promise<Map<string, Holding | null>> {
  const { rows } = await sql<{ payout_id: string; screening: Holding | null }>`
    select payout.id as payout_id, (select to_jsonb(screening) from payout_screening screening
      where screening.affiliate_id = affiliate.id and not screening.superseded and screening.version = account.screening_version
        and ${isOfNow('screening')}) as screening
    from payout join affiliate on affiliate.id = payout.affiliate_id join account on account.id = payout.account_id
    where payout.account_id = ${accountId} and payout.id = any (${payouts.map(({ id }) => id)}::text[])
      and payout.status in ('open', 'processing') and ${IS_UNCLEARED}`.execute(db);
  return new Map(rows.map(({ payout_id, screening }) => [payout_id, screening]));
}

/** Says why a payout is not paid. Undefined: nothing holds it. */
function heldBy(screening: Holding | null | undefined) {
  if (screening === undefined) return [];
  const t = PAYOUT_TEXTS.screening;
  const [match] = screening?.matches ?? [];
  const dateOf = (list: string) => screening?.lists.find((each) => each.list === list)?.list_date ?? '';
  return [
    step(
      'screening',
      (language) =>
        match
          ? inLanguage(language)(t.hit, { ...match, list: match.list.toUpperCase(), date: dateOf(match.list) })
          : inLanguage(language)(screening === null ? t.waiting : t.unavailable),
      null,
    ),
  ];
}
