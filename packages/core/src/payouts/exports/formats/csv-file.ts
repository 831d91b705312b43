import { decimalAmount } from '../../../platform/money/money.ts';
import { writeCsv } from '../../../platform/wire/csv.ts';
import type { ExportItem, FileFormat } from './format.ts';

const COLUMNS: Record<string, (item: ExportItem) => string> = {
  payout_id: (item) => item.payout_id,
  affiliate_id: (item) => item.affiliate_id,
  email: (item) => item.email,
  first_name: (item) => item.first_name ?? '',
  last_name: (item) => item.last_name ?? '',
  walleta_email: (item) => item.walleta_email ?? '',
  walletb_email: (item) => item.walletb_email ?? '',
  amount: (item) => decimalAmount(item.amount_cents, item.currency),
  amount_cents: (item) => String(item.amount_cents),
  currency: (item) => item.currency,
  commissions_count: (item) => String(item.commissions_count),
  created_at: (item) => item.payout_created_at,
};

/** File format for spreadsheets and bookkeeping: a header, and one row per payout with every field. */
export const csvFile: FileFormat = {
  maxRows: 100_000,
  problems: () => [],
  render: (items) =>
    writeCsv([Object.keys(COLUMNS), ...items.map((item) => Object.values(COLUMNS).map((column) => column(item)))]),
};
