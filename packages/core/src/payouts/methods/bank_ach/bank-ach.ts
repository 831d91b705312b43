import { mapInParts } from '@affiliate/postgres';
import { z } from 'zod';
import { hintOf, type PayoutAddress } from '../../../program/payout-methods/payout-addresses.ts';
import { bankDetailsProblems, bankingDay, bankText, dayAfter, isSpelled, nameOfHolder } from '../../port/bank-files.ts';
import { wordsOfBank } from '../../port/method-words.ts';
import { type FileContent, type FileItem, type Method, nameOf } from '../../port/method.ts';
import { PAYOUT_REASONS } from '../../port/reasons.ts';
import { isRoutingNumber } from './routing-number.ts';

const KIND = 'bank_ach';

/** Most cents of a payment, 999,999.99 dollars. The sums of a full file then fit into their twelve digits. */
const MAX_CENTS = 99_999_999;

export const withoutBlanks = z.string().transform((text) => text.replaceAll(/\s/g, ''));
export const routing_number = withoutBlanks.refine(isRoutingNumber, PAYOUT_REASONS.routing_number_form);
const name = (max: number) => nameOfHolder(isSpelled, PAYOUT_REASONS.holder_not_latin, max);

export const account_number = withoutBlanks.pipe(z.string().regex(/^[A-Za-z0-9-]{4,17}$/, PAYOUT_REASONS.account_number_form));

/** The account of a receiver. */
const Address = z.strictObject({
  account_holder: name(70),
  routing_number,
  account_number,
  account_type: z.enum(['checking', 'savings']),
  holder_type: z.enum(['person', 'company']),
});

const companyNumber = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9]{9,10}$/, PAYOUT_REASONS.company_number_form);

/** Credits in dollars to bank accounts in the United States, by a file that the merchant takes to the bank. */
export const BANK_ACH: Method = {
  kind: KIND,
  words: wordsOfBank({ en: 'Bank account (United States, dollars)', de: 'Bankkonto (USA, Dollar)' }, 3),
  addressSchema: Address,
  currencies: new Set(['USD']),
  limits: { items: 10_000 },
  problems: (items) => bankDetailsProblems(KIND, items, MAX_CENTS),
  accounts: {
    name: 'ACH',
    fields: [
      { name: 'company_name', placeholder: 'Example Inc', isSecret: false },
      { name: 'company_id', placeholder: '1123456789', isSecret: false },
      { name: 'bank_name', placeholder: 'Example Bank', isSecret: false },
      { name: 'routing_number', placeholder: '021000021', isSecret: false },
      { name: 'immediate_origin', placeholder: '1123456789', isSecret: false, isOptional: true },
    ],
    schema: z.strictObject({
      company_name: name(70),
      company_id: companyNumber,
      bank_name: name(70),
      routing_number,
      immediate_origin: companyNumber.optional(),
    }) as unknown as z.ZodType<Record<string, string>>,
    connect: ({ company_id = '' }) => Promise.resolve({ mode: null, accountId: hintOf({ company_id }) }),
  },
  file: { extension: 'ach', render: (content) => renderNacha(KIND, content) },
};

const LINES_OF_BLOCK = 10;
/** Credits only. */
const SERVICE_CLASS = '220';
const MODIFIERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** Codes of a credit, by the kind of the account. */
const TRANSACTION_CODES: ReadonlyMap<string | undefined, string> = new Map([
  ['checking', '22'],
  ['savings', '32'],
]);

/** The batches of a file: payments to persons (PPD) and to companies (CCD). */
const CLASSES = [
  { code: 'PPD', holder: 'person' },
  { code: 'CCD', holder: 'company' },
] as const;

interface Sums {
  entries: number;
  hash: number;
  cents: number;
}

/**
 * Renders a file of the Automated Clearing House (NACHA): lines of 94 characters in blocks of ten, with one batch of credits to persons and one to
 * companies. The file has the date of the export (UTC), and a letter that tells it from others of the day. The payments are asked for on the next
 * banking day.
 */
async function renderNacha(kind: string, { id, created_at, daily_number, payer, items }: FileContent): Promise<string> {
  const { company_name = '', company_id = '', bank_name = '', routing_number = '', immediate_origin = company_id } = payer!;
  const day = shortDay(created_at);
  const lines = [
    '101' +
      routing_number.padStart(10) +
      text(immediate_origin, 10).trim().padStart(10) +
      day +
      created_at.slice(11, 16).replace(':', '') +
      MODIFIERS[daily_number % MODIFIERS.length]! +
      '094101' +
      text(bank_name, 23) +
      text(company_name, 23) +
      // The end of the id of the export.
      text(id.slice(-8), 8),
  ];
  const bank = routing_number.slice(0, 8);
  const all: Sums = { entries: 0, hash: 0, cents: 0 };
  let batches = 0;
  for (const { code, holder } of CLASSES) {
    const own = items.filter(({ addresses }) => (addresses[kind]!['holder_type'] ?? 'person') === holder);
    if (own.length === 0) continue;
    batches += 1;
    const batch = bank + digits(batches, 7);
    const company = text(company_id, 10);
    const effective = shortDay(bankingDay(dayAfter(created_at)));
    lines.push(
      `5${SERVICE_CLASS}${text(company_name, 16)}${text('', 20)}${company}${code}COMMISSION${text('', 6)}${effective}${text('', 3)}1${batch}`,
    );
    const first = all.entries;
    lines.push(...(await mapInParts([...own.entries()], ([at, item]) => entryOf(kind, item, bank + digits(first + at + 1, 7)))));
    const sums = sumsOf(kind, own);
    lines.push(`8${SERVICE_CLASS}${figures(sums, 6)}${company}${text('', 25)}${batch}`);
    all.entries += sums.entries;
    all.hash += sums.hash;
    all.cents += sums.cents;
  }
  const blocks = Math.ceil((lines.length + 1) / LINES_OF_BLOCK);
  lines.push(`9${digits(batches, 6)}${digits(blocks, 6)}${figures(all, 8)}${text('', 39)}`);
  while (lines.length < blocks * LINES_OF_BLOCK) lines.push('9'.repeat(94));
  return lines.map((line) => `${line}\r\n`).join('');
}

function entryOf(kind: string, item: FileItem, trace: string): string {
  const { account_type, routing_number = '', account_number = '', account_holder = nameOf(item) } = item.addresses[kind]!;
  return (
    `6${TRANSACTION_CODES.get(account_type) ?? '22'}${text(routing_number, 9)}${text(account_number, 17)}` +
    digits(item.amount_cents, 10) +
    // The end of the id of the attempt, which is random.
    text(item.attempt_id.slice(-15), 15) +
    `${text(account_holder, 22)}  0${trace}`
  );
}

function sumsOf(kind: string, items: readonly FileItem[]): Sums {
  return {
    entries: items.length,
    hash: items.reduce((sum, { addresses }) => sum + bankIn(addresses[kind]!), 0),
    cents: items.reduce((sum, { amount_cents }) => sum + amount_cents, 0),
  };
}

/** Returns the first eight digits of a routing number, which the hash adds up. */
function bankIn({ routing_number = '' }: PayoutAddress): number {
  return Number(routing_number.slice(0, 8)) || 0;
}

/** Returns the number of entries, the hash, the debits, of which there are none, and the credits. */
function figures({ entries, hash, cents }: Sums, width: number): string {
  return digits(entries, width) + digits(hash % 10 ** 10, 10) + digits(0, 12) + digits(cents, 12);
}

function shortDay(day: string): string {
  return day.slice(2, 10).replaceAll('-', '');
}

function digits(value: number, width: number): string {
  return String(value).padStart(width, '0');
}

/** Returns a text in capitals, of exactly this width. */
function text(value: string, width: number): string {
  return bankText(value, width).toUpperCase().padEnd(width);
}
