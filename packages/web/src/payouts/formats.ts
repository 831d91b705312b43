import { EXPORT_FORMATS, type ExportFormat } from '@affiliate/core/browser';
import type { Outputs } from '../api/client.ts';

export type PayoutExport = Outputs['payoutExports']['list']['data'][number];

const TEXTS: Record<ExportFormat, { label: string; description: string }> = {
  csv: { label: 'CSV', description: 'Every field, for spreadsheets and accounting.' },
  walleta: { label: 'PayPal', description: 'PayPal Payouts upload. One currency, up to 5,000 payouts.' },
  walletb: { label: 'Wise', description: 'Wise batch payment by e-mail. Up to 1,000 payouts.' },
};

export const FORMATS = EXPORT_FORMATS.map((value) => ({ value, ...TEXTS[value] }));
