import { decimalAmount, minorUnitDigits } from '../../platform/money/money.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { readsAsFormula, writeCsv, writeLongCsv } from '../../platform/wire/csv.ts';
import type { ExportFormat, ProblemCode } from './export-formats.ts';

/** The fields of a payout from which export files are rendered, with the values that they had when the export was created. */
export interface ExportItem {
  payout_id: string;
  affiliate_id: string;
  email: string;
  first_name: string | null;
  last_name: string | null;
  walleta_email: string | null;
  walletb_email: string | null;
  amount_cents: number;
  currency: string;
  commissions_count: number;
  payout_created_at: Instant;
}

/** A reason why a payout cannot be in a file of the requested format. */
export interface Problem {
  payout_id: string;
  code: ProblemCode;
  message: string;
}

/** Names of the services whose email addresses affiliates give. */
const WALLETS = { walleta_email: 'PayPal', walletb_email: 'Wise' } as const;
type Wallet = keyof typeof WALLETS;

interface FileFormat {
  maxRows: number;
  problems(items: readonly ExportItem[]): Problem[];
  /** Names of the columns, if the file has a line with them. */
  header: readonly string[] | null;
  rowOf: (item: ExportItem) => string[];
}

/** Returns a problem for each payout whose affiliate has no address for this wallet, or an address that starts like a spreadsheet formula. */
function addressProblems(items: readonly ExportItem[], wallet: Wallet): Problem[] {
  return items.flatMap((item): Problem[] => {
    const { payout_id } = item;
    const address = item[wallet];
    const problem = (code: ProblemCode, message: string): Problem[] => [{ payout_id, code, message }];
    if (address === null)
      return problem('missing_wallet_address', `${nameOf(item)} (payout ${payout_id}) has no ${WALLETS[wallet]} address.`);
    if (!readsAsFormula(address)) return [];
    return problem(
      'unsafe_wallet_address',
      `${nameOf(item)} (payout ${payout_id}) has a ${WALLETS[wallet]} address that starts like a spreadsheet formula. Correct it first.`,
    );
  });
}

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
const csvFile: FileFormat = {
  maxRows: 100_000,
  problems: () => [],
  header: Object.keys(COLUMNS),
  rowOf: (item) => Object.values(COLUMNS).map((column) => column(item)),
};

/** Currencies that PayPal pays in whole units only, although they have a minor unit. */
const WHOLE_UNITS = new Set(['HUF', 'TWD']);

/**
 * File format of PayPal's Payouts web upload, without a header. The columns are recipient, amount, currency, customer id, note to the
 * recipient, and wallet. A customer id has at most 30 characters and no spaces, so affiliate ids can be used. One currency per file, at
 * most 5,000 rows (docs/rules/payouts.md#export-formats).
 */
const walletaFile: FileFormat = {
  maxRows: 5_000,
  problems: (items) => [...addressProblems(items, 'walleta_email'), ...currencyProblems(items), ...fractionProblems(items)],
  header: null,
  rowOf: (item) => [
    item.walleta_email ?? '',
    WHOLE_UNITS.has(item.currency)
      ? String(item.amount_cents / unitOf(item.currency))
      : decimalAmount(item.amount_cents, item.currency),
    item.currency,
    item.affiliate_id,
    `Affiliate payout ${item.payout_id}`,
    'PAYPAL',
  ],
};

/** Returns a problem for each payout whose currency differs from that of the first payout. */
function currencyProblems(items: readonly ExportItem[]): Problem[] {
  return items.flatMap(({ payout_id, currency }) =>
    currency === items[0]?.currency
      ? []
      : [
          {
            payout_id,
            code: 'mixed_currencies' as const,
            message: `${payout_id} is in ${currency}, but other payouts are in ${items[0]?.currency}. Make one export per currency.`,
          },
        ],
  );
}

/**
 * Returns a problem for each payout with a fraction of a unit that PayPal cannot pay. The amount is not rounded, because rounding could
 * take money from the affiliate.
 */
function fractionProblems(items: readonly ExportItem[]): Problem[] {
  return items
    .filter(({ amount_cents, currency }) => WHOLE_UNITS.has(currency) && amount_cents % unitOf(currency) !== 0)
    .map(({ payout_id, amount_cents, currency }) => ({
      payout_id,
      code: 'fractional_amount' as const,
      message: `${payout_id}: PayPal pays ${currency} in whole units only, so it cannot pay ${decimalAmount(amount_cents, currency)}.`,
    }));
}

function unitOf(currency: string): number {
  return 10 ** minorUnitDigits(currency);
}

const HEADER = [
  'name',
  'recipientEmail',
  'paymentReference',
  'receiverType',
  'amountCurrency',
  'amount',
  'sourceCurrency',
  'targetCurrency',
];
/**
 * Length of a payment reference: the shortest limit that Wise has for any currency. The reference is the end of the payout id, because that
 * part of the id is random.
 */
const REFERENCE_LENGTH = 10;

/** File format of Wise's batch upload "send by email": any currencies, at most 1,000 rows (docs/rules/payouts.md#export-formats). */
const walletbFile: FileFormat = {
  maxRows: 1_000,
  problems: (items) => addressProblems(items, 'walletb_email'),
  header: HEADER,
  rowOf: (item) => [
    nameOf(item),
    item.walletb_email ?? '',
    item.payout_id.slice(-REFERENCE_LENGTH),
    'PERSON',
    'target',
    decimalAmount(item.amount_cents, item.currency),
    item.currency,
    item.currency,
  ],
};

/** Returns the affiliate's name, or the email address if the affiliate has no name. */
export function nameOf({ first_name, last_name, email }: ExportItem): string {
  const name = [first_name, last_name].filter((part) => part !== null && part.trim() !== '').join(' ');
  return name === '' ? email : name;
}

const FILE_FORMATS: Record<ExportFormat, FileFormat> = { csv: csvFile, walleta: walletaFile, walletb: walletbFile };

/** Renders the file of a format. To be called only with items for which `problems` reports no problem. */
export async function renderFile(format: ExportFormat, items: readonly ExportItem[]): Promise<string> {
  const { header, rowOf } = FILE_FORMATS[format];
  return `${header === null ? '' : writeCsv([header])}${await writeLongCsv(items, rowOf)}`;
}

/** Returns the problem of a payout for which a file has no row left. */
function fullFile(format: ExportFormat, payoutId: string): Problem {
  const message = `A ${format} file holds at most ${FILE_FORMATS[format].maxRows} payouts. Make another export for ${payoutId}.`;
  return { payout_id: payoutId, code: 'too_many_rows', message };
}

/** Returns a problem for each payout beyond the maximum number of rows in a file of this format. */
export function rowProblems(format: ExportFormat, payoutIds: readonly string[]): Problem[] {
  return payoutIds.slice(FILE_FORMATS[format].maxRows).map((payoutId) => fullFile(format, payoutId));
}

/** Returns all reasons why these payouts cannot be in one file of this format. */
export function fileProblems(format: ExportFormat, items: readonly ExportItem[]): Problem[] {
  return [
    ...rowProblems(
      format,
      items.map(({ payout_id }) => payout_id),
    ),
    ...FILE_FORMATS[format].problems(items),
  ];
}

/** A payout that a file cannot pay, with the first reason. */
export interface LeftOutItem {
  item: ExportItem;
  problem: Problem;
}

/** Selects the payouts that one file of a format can pay together. Holds nothing but the first payout and the named ones, however many it sees. */
export class FileSelection {
  /** The first payouts that were left out, at most as many as `maxNamed`. */
  readonly leftOut: LeftOutItem[] = [];
  leftOutCount = 0;
  #includedCount = 0;
  /** Decides the currency of the file. */
  #first: ExportItem | undefined;
  readonly #format: FileFormat;
  readonly #name: ExportFormat;
  readonly #maxNamed: number;

  constructor(name: ExportFormat, maxNamed: number) {
    this.#name = name;
    this.#format = FILE_FORMATS[name];
    this.#maxNamed = maxNamed;
  }

  /** Returns those of the next payouts that the file can pay. */
  take(items: readonly ExportItem[]): ExportItem[] {
    return items.filter((item) => {
      const problem = this.#problemOf(item);
      if (problem === undefined) {
        this.#first ??= item;
        this.#includedCount += 1;
        return true;
      }
      this.leftOutCount += 1;
      if (this.leftOut.length < this.#maxNamed) this.leftOut.push({ item, problem });
      return false;
    });
  }

  #problemOf(item: ExportItem): Problem | undefined {
    const [own] = this.#format.problems([item]);
    if (own) return own;
    const [together] = this.#first ? this.#format.problems([this.#first, item]) : [];
    if (together) return together;
    return this.#includedCount < this.#format.maxRows ? undefined : fullFile(this.#name, item.payout_id);
  }
}
