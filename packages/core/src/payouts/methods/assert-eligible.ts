import { sql } from 'kysely';
import { IS_UNCLEARED } from '../../ledger/payouts/payout-screening.entity.ts';
import { payoutView } from '../../ledger/payouts/payout.queries.ts';
import type { Ctx } from '../../platform/call/context.ts';
import { type ValidationDetail, invalid, validationError, noSuch } from '../../platform/errors/errors.ts';
import type { Reason } from '../../platform/texts/reason.ts';
import { PAYOUT_REASONS } from '../port/reasons.ts';

/** Maximum number of problems that one error names. */
export const MAX_NAMED = 100;

/** Throws VALIDATION_ERROR with the details, if there are any. Names at most `MAX_NAMED`. */
export function refuse(details: readonly ValidationDetail[]): void {
  if (details.length > 0) throw validationError(details.slice(0, MAX_NAMED));
}

/**
 * Throws VALIDATION_ERROR naming the payouts that are unknown, of the other mode, or not eligible.
 *
 * @param pathOf returns the input field of a payout, by its index
 */
export async function assertEligible(
  ctx: Ctx,
  { livemode }: { livemode: boolean },
  payoutIds: readonly string[],
  pathOf = (index: number) => `payout_ids.${index}`,
): Promise<void> {
  const rows = await payoutView(ctx)
    .select(['payout.id', 'payout.state', 'payout.livemode', 'payout.eligible', 'payout.ineligible_reasons'])
    .where('payout.account_id', '=', ctx.accountId)
    .where('payout.id', '=', sql<string>`any (${payoutIds})`)
    .execute();
  const payouts = new Map(rows.map((row) => [row.id, row]));
  const details = payoutIds.flatMap((id, index): ValidationDetail[] => {
    const payout = payouts.get(id);
    const path = pathOf(index);
    if (!payout) return [{ path, code: 'not_found', message: PAYOUT_REASONS.no_such_payout({ payout: id }) }];
    if (payout.livemode !== livemode) return [{ path, code: 'other_mode', message: otherMode(id, livemode) }];
    if (payout.eligible) return [];
    // A paid or returned payout has no `ineligible_reasons`.
    const reasons = payout.ineligible_reasons.join(', ') || payout.state;
    return [{ path, code: 'not_eligible', message: PAYOUT_REASONS.payout_not_eligible({ payout: id, reasons }) }];
  });
  refuse(details);
}

function otherMode(id: string, livemode: boolean): Reason {
  return livemode ? PAYOUT_REASONS.test_payout({ payout: id }) : PAYOUT_REASONS.live_payout({ payout: id });
}

/** Throws VALIDATION_ERROR (`screening`) while some of the affiliates are not cleared by the current lists, because a file can be used at once. */
export async function assertCleared({ db, accountId, services }: Ctx, affiliateIds: readonly string[]): Promise<void> {
  const { rows } = await sql`
    select from affiliate join account on account.id = affiliate.account_id
    where affiliate.account_id = ${accountId} and affiliate.id = any (${affiliateIds}) and ${IS_UNCLEARED} limit 1`.execute(db);
  if (rows.length === 0) return;
  services.jobs.send('payout_screenings');
  throw invalid('payout_ids', PAYOUT_REASONS.not_compared_yet, 'screening');
}

/** Throws VALIDATION_ERROR naming the affiliates that are unknown. */
export async function assertAffiliates(ctx: Ctx, ids: readonly string[]): Promise<void> {
  const rows = await ctx.db
    .selectFrom('affiliate')
    .select('id')
    .where('account_id', '=', ctx.accountId)
    .where('id', '=', sql<string>`any (${ids})`)
    .execute();
  const known = new Set(rows.map(({ id }) => id));
  const details = ids.flatMap((id, index) =>
    known.has(id) ? [] : [{ path: `affiliate_ids.${index}`, code: 'not_found', message: noSuch('affiliate') }],
  );
  if (details.length > 0) throw validationError(details);
}
