import type { Outputs } from '../api/client.ts';

export type PayoutExport = Outputs['payoutExports']['list']['data'][number];
export type ExportFormat = PayoutExport['export_format'];

export const FORMATS: { value: ExportFormat; label: string; description: string }[] = [
  { value: 'csv', label: 'CSV', description: 'Every field, for spreadsheets and bookkeeping.' },
  { value: 'walleta', label: 'Wallet A', description: 'PayPal’s Payouts web upload: one currency, at most 5,000 payouts.' },
  { value: 'walletb', label: 'Wallet B', description: 'Wise’s batch upload by e-mail: at most 1,000 payouts.' },
];
