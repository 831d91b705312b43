import { EXPORT_FORMATS, type ExportFormat } from '@affiliate/core/browser';
import type { Outputs } from '../api/client.ts';
import { t } from '../texts/payouts.ts';

export type PayoutExport = Outputs['payoutExports']['list']['data'][number];

const TEXTS: Record<ExportFormat, { label: string; description: string; hasReports?: true }> = {
  csv: { label: 'CSV', description: t.genericFormatHint },
  walleta: { label: 'PayPal', description: t.paypalFormatHint },
  bank_ach: { label: t.bankAch, description: t.bankAchFormatHint },
  bank_sepa: { label: t.bankSepa, description: t.bankSepaFormatHint, hasReports: true },
  walletb: { label: 'Wise', description: t.wiseFormatHint },
};

export const FORMATS = EXPORT_FORMATS.map((value) => ({ value, ...TEXTS[value] }));

const POLL_MS = 1_000;

/** Returns the polling interval of a list of exports in milliseconds, or false if no export is being paid. */
export function pollWhilePaying(exports: readonly PayoutExport[] | undefined): number | false {
  return exports?.some(({ state }) => state === 'paying') ? POLL_MS : false;
}
