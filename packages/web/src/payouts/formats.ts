import { EXPORT_FORMATS, type ExportFormat } from '@affiliate/core/browser';
import type { Outputs } from '../api/client.ts';

export type PayoutExport = Outputs['payoutExports']['list']['data'][number];

const TEXTS: Record<ExportFormat, { label: string; description: string }> = {
  csv: { label: 'CSV', description: 'Every field, for spreadsheets and accounting.' },
  walleta: { label: 'PayPal', description: 'PayPal Payouts upload. One currency, up to 5,000 payouts.' },
  walletb: { label: 'Wise', description: 'Wise batch payment by e-mail. Up to 1,000 payouts.' },
};

export const FORMATS = EXPORT_FORMATS.map((value) => ({ value, ...TEXTS[value] }));

const POLL_MS = 1_000;

/** Polling interval of a list of exports in milliseconds; false if none is being paid. */
export function pollWhilePaying(exports: readonly PayoutExport[] | undefined): number | false {
  return exports?.some(({ state }) => state === 'paying') ? POLL_MS : false;
}
