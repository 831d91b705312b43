import { z } from 'zod';
import { decimalAmount } from '../../platform/money/money.ts';
import type { Reason } from '../../platform/texts/reason.ts';
import { nameOf, type PayoutItem, type Problem } from './method.ts';
import { PAYOUT_REASONS } from './reasons.ts';

/** A name in a file for a bank. Line breaks and other control characters are refused. */
export function nameOfHolder(isWritable: (text: string) => boolean, message: Reason, max = 70) {
  return z
    .string()
    .trim()
    .min(1)
    .max(max)
    .refine((text) => !/\p{C}/u.test(text) && isWritable(text), message);
}

/** Returns a problem for each payout whose affiliate has given no bank account, or whose amount does not fit into the file. */
export function bankDetailsProblems(kind: string, items: readonly PayoutItem[], maxCents: number): Problem[] {
  return items.flatMap((item): Problem[] => {
    const { payout_id, addresses, amount_cents, currency } = item;
    if (addresses[kind] === undefined)
      return [
        {
          payout_id,
          code: 'missing_address',
          message: PAYOUT_REASONS.bank_account_missing({ name: nameOf(item), payout: payout_id }),
        },
      ];
    if (amount_cents <= maxCents) return [];
    const most = decimalAmount(maxCents, currency);
    return [
      {
        payout_id,
        code: 'unsupported_amount',
        message: PAYOUT_REASONS.above_bank_limit({ name: nameOf(item), payout: payout_id, most, currency }),
      },
    ];
  });
}
