/** The records that get a field: the files of their entity and of their schemas, without endings. */
const RECORDS = {
  affiliate: ['program/affiliates/affiliate'],
  campaign: ['program/campaigns/campaign'],
  commission: ['ledger/commissions/commission'],
  customer: ['program/customers/customer'],
  invitation: ['program/invitations/invitation'],
  link: ['program/links/link'],
  payout: ['ledger/payouts/payout'],
  payout_method: ['program/payout-methods/payout-method'],
  payout_batch: ['payouts/batches/payout-batch', 'payouts/exports/payout-export', 'payouts/runs/payout-run'],
  referral: ['program/referrals/referral'],
  sale: ['ledger/sales/sale'],
  webhook_endpoint: ['webhooks/endpoints/webhook-endpoint'],
} as const;

/** The tables of the records. */
export const TABLES = Object.keys(RECORDS);

/** Name of the field that every record gets. */
export const FIELD = 'added_field';
/** The value of the field in every record. It needs escaping in JSON. */
export const VALUE = 'as "added"';

/** A line of each entity and a line of each schema, and the line with the field added. */
const ADDITIONS = [
  ['...recordColumns,', `...recordColumns, ${FIELD}: p.string().default(${JSON.stringify(VALUE)}).strictNullable(),`],
  ['created_at: instant(),', `${FIELD}: z.string().nullable(), created_at: instant(),`],
] as const;

/** Matches the files that declare the records: an entity, a schema, or both in one file. */
const DECLARING = new RegExp(`/core/src/(${Object.values(RECORDS).flat().join('|')})(\\.entity|\\.schema)?\\.ts$`);

/** Returns the source of a file with the field, or null if the file does not declare one of the records. */
export function withField(path: string, source: string): string | null {
  if (!DECLARING.test(path)) return null;
  const changed = ADDITIONS.reduce((text, [line, more]) => text.replace(line, more), source);
  if (changed === source) throw new Error(`${path} has none of the lines of an entity and a schema`);
  return changed;
}

/** Settings of a process whose records have the field. */
export const withAddedField = { NODE_OPTIONS: `--import=${new URL('become-added-field.ts', import.meta.url).href}` };
