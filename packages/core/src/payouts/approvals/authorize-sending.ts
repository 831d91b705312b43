import { sql } from 'kysely';
import { exceededLimit, needsSecondPerson, rulesInForce } from '../../identity/sessions/payout-approval.ts';
import type { Ctx, WriteCtx } from '../../platform/call/context.ts';
import { advisoryLock } from '../../platform/call/locks.ts';
import { invalid } from '../../platform/errors/errors.ts';
import { plusDays } from '../../platform/time/instant.ts';
import type { BatchRow } from '../batches/payout-batch.entity.ts';
/**
 * Decides whether payments may be sent now (docs/rules/payouts.md#approvals). Every way to have payments sent asks here, under one lock of the account, so
 * that two of them cannot both fit below a limit.
 */
import { PAYOUT_REASONS } from '../method/reasons.ts';

interface Amount {
  currency: string;
  amount_cents: number;
}

type Reader = Pick<Ctx, 'db' | 'accountId' | 'now'>;

/**
 * Throws VALIDATION_ERROR (`approval_needed`) for payments that somebody else has to approve first, and (`daily_limit`) for those that exceed a limit. Test
 * payments of a live account move no money, and need nothing.
 *
 * @param isApproved true if somebody else has approved exactly these payments
 * @param path the input field that the error names
 */
export async function authorizeSending(
  ctx: WriteCtx,
  wanted: readonly Amount[],
  { livemode, isApproved, path }: { livemode: boolean; isApproved: boolean; path: string },
): Promise<void> {
  if (!livemode) return;
  await advisoryLock(ctx, 'payout sending');
  const { rules, sent, unapproved } = await findRules(ctx);
  if (!isApproved && needsSecondPerson(rules, wanted, unapproved))
    throw invalid(path, PAYOUT_REASONS.approval_needed, 'approval_needed');
  const over = exceededLimit(rules, wanted, sent);
  if (over) throw invalid(path, PAYOUT_REASONS.above_daily_limit({ currency: over.currency }), 'daily_limit');
}

/** Reports whether a batch could not be sent without an approval at the moment. */
export async function needsApproval(ctx: Reader, batch: Pick<BatchRow, 'livemode'>, wanted: readonly Amount[]): Promise<boolean> {
  if (!batch.livemode) return false;
  const { rules, unapproved } = await findRules(ctx);
  return needsSecondPerson(rules, wanted, unapproved);
}

/** Finds the rules in force, and the sums of what was sent within a day. What a rail has certainly refused was not sent. */
async function findRules({ db, accountId, now }: Reader) {
  const accounts = db.selectFrom('account').select(['payout_approval', 'former_payout_approvals']).where('id', '=', accountId);
  const account = await accounts.executeTakeFirstOrThrow();
  const { rows } = await sql<Amount & { unapproved_cents: number }>`
    select currency, sum(amount_cents) as amount_cents,
      coalesce(sum(amount_cents) filter (where approved_by is null), 0) as unapproved_cents
    from payout_attempt
    where account_id = ${accountId} and livemode and authorized_at > ${plusDays(now, -1)}::timestamptz
      and state <> 'withdrawn' and not (state = 'failed' and raw_state is not null)
    group by currency`.execute(db);
  return {
    rules: rulesInForce(account, now),
    sent: rows,
    unapproved: rows.map(({ currency, unapproved_cents }) => ({ currency, amount_cents: unapproved_cents })),
  };
}

/**
 * Returns the hash of the payments of a batch that are not sent, with their amounts and receivers, or null if there are none. Whatever changes in them
 * changes the hash.
 */
export async function hashOfUnsent({ db }: Pick<Ctx, 'db'>, batchId: string): Promise<string | null> {
  const { rows } = await sql<{ hash: string | null }>`
    select encode(sha256(convert_to(string_agg(
      concat_ws('|', id, payout_id, affiliate_id, amount_cents, currency, commissions_count, key_generation, method, sealed_receiver), E'\\n' order by id
    ), 'UTF8')), 'hex') as hash
    from payout_attempt where batch_id = ${batchId} and state in ('prepared', 'approved') and not superseded`.execute(db);
  return rows[0]!.hash;
}
