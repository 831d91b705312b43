import { z } from 'zod';
import { decimalAmount } from '../../platform/money/money.ts';
import { nameOf, type PayoutItem, type Problem } from './method.ts';

/** A name in a file for a bank. Line breaks and other control characters are refused. */
export function nameOfHolder(isWritable: (text: string) => boolean, message: string, max = 70) {
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
          message: `${nameOf(item)} (payout ${payout_id}) has not entered a bank account for this file.`,
        },
      ];
    if (amount_cents <= maxCents) return [];
    const most = decimalAmount(maxCents, currency);
    return [
      {
        payout_id,
        code: 'unsupported_amount',
        message: `${nameOf(item)} (payout ${payout_id}) is above ${most} ${currency}, the most that a bank takes.`,
      },
    ];
  });
}
