/** Emails to members when payments wait for a person (docs/rules/identity.md#mails-to-members). */
import { sql } from 'kysely';
import { mailMembers } from '../../identity/members/member-mails.ts';
import { ARRIVED_AFTER_ALL, type PayoutAttempt } from '../../ledger/payouts/payout-attempt.entity.ts';
import type { PayoutScreening } from '../../ledger/payouts/payout-screening.entity.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { methodsWithAccounts } from '../methods/methods.ts';
import { PAYOUT_MAILS } from '../port/mail-texts.ts';
import { nameOf } from '../port/method.ts';
import type { ConnectedRail } from '../rails/open-rail.ts';

/** Tells members that nothing more is sent through a rail. */
export async function tellOfStop(ctx: WriteCtx, { kind, mode }: ConnectedRail, problem: string): Promise<void> {
  if (mode !== 'live') return;
  const t = PAYOUT_MAILS.stoppedRail;
  const service = methodsWithAccounts(ctx.services).get(kind)!.accounts.name;
  await mailMembers(ctx, 'troubled_payments', (say) => ({
    subject: say(t.subject, { service }),
    lines: [say(t.said, { problem }), say(t.waits)],
    link: { label: say(t.link), path: '/settings/payout-methods' },
  }));
}

/** Tells members about the first payment of a batch of which the service cannot find out whether it was made, or that was made against its word. */
export async function tellOfDoubt(ctx: WriteCtx, { id, batch_id, livemode }: PayoutAttempt): Promise<void> {
  if (!livemode) return;
  const others = sql`
    select from payout_attempt
    where batch_id = ${batch_id} and id <> ${id} and reason in ('key_expired', 'amount_mismatch', ${ARRIVED_AFTER_ALL})`;
  const { rows } = await sql<{ is_first: boolean }>`select not exists (${others}) as is_first`.execute(ctx.db);
  if (!rows[0]!.is_first) return;
  const t = PAYOUT_MAILS.doubtfulPayment;
  await mailMembers(ctx, 'troubled_payments', (say) => ({
    subject: say(t.subject),
    lines: [say(t.decide)],
    link: { label: say(t.link), path: `/payouts/payments/${batch_id}` },
  }));
}

/** Tells members that an affiliate is not paid because of a screening. If lists are missing, one mail about the first affiliate is enough. */
export async function tellOfHit(ctx: WriteCtx, { id, affiliate_id, result }: PayoutScreening): Promise<void> {
  if (result === 'clear') return;
  const others = sql`
    select from payout_screening where account_id = ${ctx.accountId} and id <> ${id} and result = 'unavailable' and held and not superseded`;
  const { rows } = await sql<AffiliateName & { is_first: boolean }>`
    select first_name, last_name, email, not exists (${others}) as is_first from affiliate where id = ${affiliate_id}`.execute(
    ctx.db,
  );
  const { is_first, ...affiliate } = rows[0]!;
  if (result === 'unavailable' && !is_first) return;
  const t = PAYOUT_MAILS.heldPayout;
  await mailMembers(ctx, 'troubled_payments', (say) => ({
    subject: say(t.subject, { name: nameOf(affiliate) }),
    lines: [say(t[result]), say(t.waits)],
    link: { label: say(t.link), path: `/affiliates/${affiliate_id}` },
  }));
}

type AffiliateName = Parameters<typeof nameOf>[0];
