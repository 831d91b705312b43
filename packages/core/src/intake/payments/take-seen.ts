import { PromoCode, withObservation } from '../../codes/promo-codes/promo-code.entity.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { lockAll, save } from '../../platform/call/records.ts';
import type { OutsidePayments } from '../../sources/connections/connection.entity.ts';
import { isOwnMode } from '../../sources/connections/own-mode.ts';
import type { CodeSeen, Seen } from '../../sources/port/seen.ts';
import { learnPayer, learnSubscription } from './learn-payer.ts';
import { settle } from './settle.ts';

/**
 * Applies what a source knows (docs/rules/intake.md#provider-events). Sources may tell in any order and more than once; the result is the same.
 *
 * @param outside what a payment outside the provider earns
 */
export async function takeSeen(ctx: WriteCtx, seen: Seen, outside: OutsidePayments): Promise<void> {
  return ctx.locks.subject(seen.kind, async () => {
    switch (seen.kind) {
      case 'payment':
        await settle(ctx, seen, { outside });
        return;
      case 'payer':
        return learnPayer(ctx, seen);
      case 'subscription':
        return learnSubscription(ctx, seen);
      case 'code':
        return learnCode(ctx, seen);
    }
  });
}

async function learnCode(ctx: WriteCtx, { code: seen, at }: CodeSeen): Promise<void> {
  const codes = ctx.db
    .selectFrom('promo_code')
    .selectAll()
    .where('account_id', '=', ctx.accountId)
    .where('livemode', '=', isOwnMode(ctx.accountId, seen.mode))
    .where('psp_promotion_code_id', '=', seen.id);
  const [code] = await lockAll(ctx, PromoCode, codes);
  if (code) save(ctx, PromoCode, code, withObservation(code, seen, at));
}
