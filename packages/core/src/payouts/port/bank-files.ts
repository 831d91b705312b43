import { z } from 'zod';
import { decimalAmount } from '../../platform/money/money.ts';
import type { Reason } from '../../platform/texts/reason.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { inLatin } from '../../platform/wire/latin.ts';
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

/** Signs that banks do not take, and what stands for them. */
const SIGNS = new Map([
  ...Array.from('‘’“”"', (sign): [string, string] => [sign, "'"]),
  ...Array.from('_–—', (sign): [string, string] => [sign, '-']),
  ['&', '+'],
  ['€', 'EUR'],
]);

/**
 * Returns a text in the characters that all banks take: letters and digits of ASCII, blanks, and / - ? : ( ) . , ' +. Letters of other scripts are
 * spelled (`inLatin`), and what is left becomes a dot. A longer text is cut.
 */
export function bankText(text: string, maxLength: number): string {
  const latin = inLatin(text)
    .replaceAll(/[‘’“”"_–—&€]/g, (sign) => SIGNS.get(sign)!)
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[^A-Za-z0-9/\-?:().,'+ ]/g, '.');
  return latin.trim().slice(0, maxLength).trim();
}

/** True if a text keeps a letter or a digit in these characters. A name in other scripts would be nothing but dots. */
export function isSpelled(text: string): boolean {
  return /[A-Za-z0-9]/.test(bankText(text, text.length * 4));
}

const DAY_MS = 86_400_000;

/**
 * Returns the day (UTC, `2026-11-30`) on which a payment made at a time is asked for: the same day or, at the weekend, the Monday after it. Banks move a
 * payment that is asked for on a holiday, or too late on the day, to the next day on which they pay.
 */
export function bankingDay(at: Instant): string {
  const day = new Date(at);
  const daysToMonday = [1, 0, 0, 0, 0, 0, 2][day.getUTCDay()]!;
  return new Date(day.getTime() + daysToMonday * DAY_MS).toISOString().slice(0, 10);
}

export function dayAfter(at: Instant): Instant {
  return new Date(new Date(at).getTime() + DAY_MS).toISOString();
}
