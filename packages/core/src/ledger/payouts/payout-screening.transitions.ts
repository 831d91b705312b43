import { isDeepStrictEqual } from 'node:util';
import type { WriteCtx } from '../../platform/call/context.ts';
import type { Locked } from '../../platform/call/locks.ts';
import { lockAll, newRecordColumns, save } from '../../platform/call/records.ts';
import { isTestAccount } from '../../platform/call/test-account-id.ts';
import { newId } from '../../platform/wire/ids.ts';
import { assertLocked, type HeldAffiliates } from '../affiliate-lock.ts';
import { PayoutScreening, type ScreeningMatch } from './payout-screening.entity.ts';

/** The result of a screening, with the affiliate, the name and the payout methods for which it holds. */
export type Screened = Pick<
  PayoutScreening,
  'affiliate_id' | 'kind' | 'version' | 'first_name' | 'last_name' | 'method_versions' | 'result' | 'lists' | 'matches'
> & { names: readonly string[] };

/**
 * Records a screening of a locked affiliate. The same outcome renews the former screening. A released hit stays released only for the names and payout methods,
 * and for the entries of lists, for which a person has released it.
 *
 * @returns the screening, and whether it is a new one
 */
export async function recordScreening(
  ctx: WriteCtx,
  held: HeldAffiliates,
  { names, ...found }: Screened,
): Promise<{ screening: PayoutScreening; isNew: boolean }> {
  assertLocked(held, [found]);
  const { secrets } = ctx.services;
  const [former] = await lockAll(
    ctx,
    PayoutScreening,
    ctx.db
      .selectFrom('payout_screening')
      .selectAll()
      .where('account_id', '=', ctx.accountId)
      .where('affiliate_id', '=', found.affiliate_id)
      .where('superseded', '=', false),
  );
  const formerNames: unknown = former?.sealed_names ? JSON.parse(secrets.open(former.sealed_names)) : null;
  const isSame =
    former !== undefined &&
    former.result === found.result &&
    isDeepStrictEqual(formerNames, names) &&
    (former.released_at === null || isDeepStrictEqual(former.method_versions, found.method_versions)) &&
    areAmong(found.matches, former.matches);
  if (isSame) {
    save(ctx, PayoutScreening, former, { ...found, matches: former.matches, screened_at: ctx.now, updated_at: ctx.now });
    return { screening: former, isNew: false };
  }
  if (former) save(ctx, PayoutScreening, former, { superseded: true, updated_at: ctx.now });
  const row = {
    ...newRecordColumns(ctx, newId('payout_screening', ctx.clock.now())),
    ...found,
    sealed_names: secrets.seal(JSON.stringify(names)),
    held: found.result !== 'clear',
    superseded: false,
    screened_at: ctx.now,
    released_at: null,
    released_by: null,
    release_reason: null,
  };
  const stored = {
    ...row,
    method_versions: row.method_versions && JSON.stringify(row.method_versions),
    lists: JSON.stringify(row.lists),
    matches: JSON.stringify(row.matches),
  };
  await ctx.db
    .insertInto('payout_screening')
    .values(stored as never)
    .execute();
  const screening = { ...row, livemode: !isTestAccount(ctx.accountId) };
  // The payouts of the affiliate show whether they are held, so this is a change for them, not a new record.
  ctx.records.noteChanged('payout_screening', screening.id, { held: former?.held ?? null });
  return { screening, isNew: true };
}

/** True if all entries are among others. */
function areAmong(matches: readonly ScreeningMatch[], others: readonly ScreeningMatch[]): boolean {
  return matches.every(({ list, entry }) => others.some((other) => other.list === list && other.entry === entry));
}

/** Lets an affiliate be paid in spite of a hit. The affiliate is locked. */
export function releaseScreening(
  ctx: WriteCtx,
  held: HeldAffiliates,
  screening: Locked<PayoutScreening>,
  { by, reason }: { by: string; reason: string },
): void {
  assertLocked(held, [screening]);
  save(ctx, PayoutScreening, screening, {
    held: false,
    released_at: ctx.now,
    released_by: by,
    release_reason: reason,
    updated_at: ctx.now,
  });
}
