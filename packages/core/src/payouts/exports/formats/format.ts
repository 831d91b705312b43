import type { Instant } from '../../../platform/time/instant.ts';
import { readsAsFormula } from '../../../platform/wire/csv.ts';

/** The fields of a payout from which export files are rendered, with the values that they had when the export was created. */
export interface ExportItem {
  payout_id: string;
  affiliate_id: string;
  email: string;
  first_name: string | null;
  last_name: string | null;
  walleta_email: string | null;
  walletb_email: string | null;
  amount_cents: number;
  currency: string;
  commissions_count: number;
  payout_created_at: Instant;
}

/** A reason why a payout cannot be in a file of the requested format. */
export interface Problem {
  payout_id: string;
  code: 'missing_wallet_address' | 'unsafe_wallet_address' | 'mixed_currencies' | 'fractional_amount' | 'too_many_rows';
  message: string;
}

/** A file format. `render` is a pure function, to be called only with items for which `problems` reports no problem. */
export interface FileFormat {
  maxRows: number;
  problems(items: readonly ExportItem[]): Problem[];
  render(items: readonly ExportItem[]): string;
}

/** Returns a problem for each payout whose affiliate has no address for this wallet, or an address that starts like a spreadsheet formula. */
export function addressProblems(items: readonly ExportItem[], wallet: 'walleta_email' | 'walletb_email'): Problem[] {
  return items.flatMap((item): Problem[] => {
    const { payout_id, affiliate_id } = item;
    const address = item[wallet];
    if (address === null)
      return [
        { payout_id, code: 'missing_wallet_address', message: `${payout_id}: affiliate ${affiliate_id} has no ${wallet}.` },
      ];
    if (readsAsFormula(address)) {
      const message = `${payout_id}: ${wallet} of affiliate ${affiliate_id} starts like a spreadsheet formula. Correct the address first.`;
      return [{ payout_id, code: 'unsafe_wallet_address', message }];
    }
    return [];
  });
}
