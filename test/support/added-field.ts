/** The records that get a field: the files of their entity and of their schemas, without their endings. */
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

/** By the kind of a file: a line that it has, and the line with the field added. */
const ADDITIONS = {
  entity: ['...recordColumns,', `...recordColumns, ${FIELD}: p.string().default(${JSON.stringify(VALUE)}).strictNullable(),`],
  schema: ['created_at: instant(),', `${FIELD}: z.string().nullable(), created_at: instant(),`],
} as const;

/** Returns the source of a file with the field, or null if the file does not declare one of the records. */
export function withField(path: string, source: string): string | null {
  for (const files of Object.values(RECORDS))
    for (const [kind, [line, more]] of Object.entries(ADDITIONS)) {
      const declaring = kind === 'entity' || files.length === 1 ? [files[0]] : files.slice(1);
      if (!declaring.some((file) => path.endsWith(`/core/src/${file}.${kind}.ts`))) continue;
      if (!source.includes(line)) throw new Error(`${path} has no line ${line}`);
      return source.replace(line, more);
    }
  return null;
}

/** Settings of a process whose records have the field. */
export const withAddedField = { NODE_OPTIONS: `--import=${new URL('become-added-field.ts', import.meta.url).href}` };
