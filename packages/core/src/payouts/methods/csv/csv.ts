import { decimalAmount } from '../../../platform/money/money.ts';
import { BYTE_ORDER_MARK } from '../../../platform/wire/csv-line.ts';
import { ADDRESS_FIELDS, addressFieldsOf } from '../../../program/payout-methods/address-fields.schema.ts';
import { csvFile } from '../../port/csv-file.ts';
import type { Method, PayoutItem } from '../../port/method.ts';

const COLUMNS: Record<string, (item: PayoutItem) => string> = {
  payout_id: (item) => item.payout_id,
  affiliate_id: (item) => item.affiliate_id,
  email: (item) => item.email,
  first_name: (item) => item.first_name ?? '',
  last_name: (item) => item.last_name ?? '',
  ...Object.fromEntries(
    ADDRESS_FIELDS.map((field) => [field, ({ addresses }: PayoutItem) => addressFieldsOf(addresses)[field] ?? '']),
  ),
  amount: (item) => decimalAmount(item.amount_cents, item.currency),
  amount_cents: (item) => String(item.amount_cents),
  currency: (item) => item.currency,
  commissions_count: (item) => String(item.commissions_count),
  created_at: (item) => item.payout_created_at,
};

/** A file for spreadsheets and bookkeeping: a header, and one row per payout with every field. */
export const CSV: Method = {
  kind: 'csv',
  addressSchema: null,
  currencies: null,
  limits: { items: 100_000 },
  problems: () => [],
  file: csvFile({
    mark: BYTE_ORDER_MARK,
    header: Object.keys(COLUMNS),
    rowOf: (item) => Object.values(COLUMNS).map((column) => column(item)),
  }),
};
