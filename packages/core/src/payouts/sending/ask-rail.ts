import { findPayoutTerms, type PayoutTerms } from '../../identity/sessions/payout-terms.ts';
import type { Ctx, Services } from '../../platform/call/context.ts';
import { storedModeOf } from '../../platform/call/mode.ts';
import { OutsideError } from '../../platform/operations/operation.ts';
import { sendingMethods } from '../methods/methods.ts';
import { eligiblePayoutIds, loadItems, type Quotes } from '../methods/prepared-items.ts';
import { problemsOf } from '../methods/selection.ts';
import { afterFee, bearsQuote, feeOf } from '../port/fee.ts';
import type { PayoutItem, Quote } from '../port/method.ts';
import type { Amount } from '../port/rail.ts';
import { accessTo, findRailFor, modeOfPayment } from '../rails/open-rail.ts';
import type { CreatedPayoutBatch, CreatePayoutBatch } from './sending.schema.ts';

/** Fees and balances that a rail states before payments are prepared. They may have changed when the payments are sent. */
export interface RailOffer {
  quotes: Quotes;
  /** Null if the rail cannot say. */
  balances: readonly Amount[] | null;
}

/** Returns what a rail says, or undefined if it does not answer. */
export async function unlessFailed<Said>(
  { log }: Pick<Services, 'log'>,
  asked: { account_id: string; kind: string },
  answer: Promise<Said> | undefined,
): Promise<Said | undefined> {
  try {
    return await answer;
  } catch (err) {
    if (!(err instanceof OutsideError)) throw err;
    log.warn({ err, ...asked }, 'the rail was asked in vain');
    return undefined;
  }
}

/** Payments for which the rail is asked before. It is asked for the fees of the others once they are prepared, within its limit of calls. */
const MAX_QUOTED = 50;

/** Asks the rail for its balances, and for the fees of the first payments that a batch would have. No transaction is open. A rail that fails is unknown. */
export async function askRail(
  ctx: Ctx,
  { method: kind, livemode, affiliate_ids }: Pick<CreatePayoutBatch, 'method' | 'livemode' | 'affiliate_ids'>,
): Promise<RailOffer> {
  const nothing: RailOffer = { quotes: new Map(), balances: null };
  const method = sendingMethods(ctx.services).get(kind);
  if (!method?.quote && !method?.balances) return nothing;
  const mode = { livemode: storedModeOf(ctx, livemode) };
  const rail = method.accounts ? await findRailFor(ctx, kind, modeOfPayment(ctx.accountId, mode)) : null;
  if (method.accounts && rail === null) return nothing;
  const access = rail && accessTo(ctx.services, rail);
  const asked = { account_id: ctx.accountId, kind };
  const terms = await findPayoutTerms(ctx, kind);
  const ids = method.quote && !terms?.paused ? await eligiblePayoutIds(ctx, { ...mode, affiliate_ids }) : [];
  const payments = (await loadItems(ctx, ids.slice(0, MAX_QUOTED))).map((item) => afterFee(item, feeOf(item, terms, null)));
  const items = payments.filter((item) => problemsOf(method, [item]).length === 0);
  const [quotes, balances] = await Promise.all([
    items.length === 0 ? undefined : unlessFailed(ctx.services, asked, method.quote?.(items, access)),
    unlessFailed(ctx.services, asked, method.balances?.(access)),
  ]);
  const quoted = items.flatMap(({ payout_id }, at): [string, Quote][] => {
    const quote = quotes?.[at] ?? null;
    return quote === null ? [] : [[payout_id, quote]];
  });
  return { quotes: new Map(quoted), balances: balances ?? null };
}

/** Returns what payments need of the account at the rail, in each currency, against what is there. A fee that the affiliate bears is not needed. */
export function fundsFor(
  items: readonly PayoutItem[],
  { quotes, balances }: RailOffer,
  terms: PayoutTerms | undefined,
): CreatedPayoutBatch['funds'] {
  const needed = new Map<string, { needed_cents: number; unquoted_count: number }>();
  for (const { payout_id, amount_cents, currency } of items) {
    const quote = quotes.get(payout_id);
    const { cents, currency: from } = quote?.debited ?? { cents: amount_cents, currency };
    const { needed_cents = 0, unquoted_count = 0 } = needed.get(from) ?? {};
    // The quote is for the whole amount.
    const borne = quote && bearsQuote(terms, currency) && quote.fee.currency === from ? quote.fee.cents : 0;
    needed.set(from, { needed_cents: needed_cents + cents - borne, unquoted_count: unquoted_count + (quote ? 0 : 1) });
  }
  return [...needed]
    .map(([currency, figures]) => {
      const there = balances?.find((balance) => balance.currency === currency)?.cents ?? 0;
      return { currency, ...figures, available_cents: balances && there };
    })
    .toSorted((a, b) => (a.currency < b.currency ? -1 : 1));
}
