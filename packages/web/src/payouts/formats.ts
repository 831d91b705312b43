import { EXPORT_FORMATS, type ExportFormat } from '@affiliate/core/browser';
import type { Outputs } from '../api/client.ts';

export type PayoutExport = Outputs['payoutExports']['list']['data'][number];

const TEXTS: Record<ExportFormat, { label: string; description: string }> = {
  csv: { label: 'CSV', description: 'Every field, for spreadsheets and bookkeeping.' },
  walleta: { label: 'Wallet A', description: 'PayPal’s Payouts web upload: one currency, at most 5,000 payouts.' },
  walletb: { label: 'Wallet B', description: 'Wise’s batch upload by e-mail: at most 1,000 payouts.' },
};

export const FORMATS = EXPORT_FORMATS.map((value) => ({ value, ...TEXTS[value] }));
