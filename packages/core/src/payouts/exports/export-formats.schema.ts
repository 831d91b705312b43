/** The words of the wire for the files of exports, and the methods behind them. */
import type { ProblemCode as Code } from '../port/problem-code.ts';

export const EXPORT_FORMATS = ['csv', 'walleta', 'walletb', 'bank_sepa', 'bank_ach'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** The kind of the method that makes the file of each format. */
const KINDS: Record<ExportFormat, string> = {
  csv: 'csv',
  walleta: 'paypal',
  walletb: 'wise',
  bank_sepa: 'bank_sepa',
  bank_ach: 'bank_ach',
};

export function kindOfFormat(format: ExportFormat): string {
  return KINDS[format];
}

export function formatOfKind(kind: string): ExportFormat {
  return EXPORT_FORMATS.find((format) => KINDS[format] === kind)!;
}

/** Reasons why a file cannot pay a payout. */
export const PROBLEM_CODES = [
  'method_paused',
  'missing_wallet_address',
  'unsafe_wallet_address',
  'mixed_currencies',
  'fractional_amount',
  'unsupported_currency',
  'unsupported_amount',
  'below_minimum',
  'fee_exceeds_amount',
  'too_many_rows',
] as const;
export type ProblemCode = (typeof PROBLEM_CODES)[number];

const CODES: Record<Code, ProblemCode> = {
  method_paused: 'method_paused',
  missing_address: 'missing_wallet_address',
  unsafe_address: 'unsafe_wallet_address',
  unsupported_address: 'unsafe_wallet_address',
  unsupported_currency: 'unsupported_currency',
  mixed_currencies: 'mixed_currencies',
  fractional_amount: 'fractional_amount',
  unsupported_amount: 'unsupported_amount',
  below_minimum: 'below_minimum',
  fee_exceeds_amount: 'fee_exceeds_amount',
  too_many_items: 'too_many_rows',
};

export function problemCode(code: Code): ProblemCode {
  return CODES[code];
}
