import type { FileItem } from '../../../packages/core/src/payouts/port/method.ts';

/** Returns payments of a file: ids by their numbers, and amounts that differ. */
export function fileItems(
  count: number,
  {
    currency,
    mostCents,
    addressesOf,
  }: { currency: string; mostCents: number; addressesOf: (at: number) => FileItem['addresses'] },
): FileItem[] {
  return Array.from({ length: count }, (_, at) => {
    const number = String(at).padStart(26, '0');
    return {
      attempt_id: `patt_${number}`,
      payout_id: `payout_${number}`,
      affiliate_id: `aff_${number}`,
      email: 'ada@example.com',
      first_name: null,
      last_name: null,
      addresses: addressesOf(at),
      amount_cents: 1 + ((at * 7_919) % mostCents),
      currency,
      commissions_count: 1,
      payout_created_at: '2026-11-20T12:00:00.000Z',
    };
  });
}
