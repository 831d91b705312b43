import { z } from 'zod';
import type { SaleNames } from '../../ledger/sales/wire-names.ts';
import { askJson, type JsonAnswer, NoAnswer } from '../../platform/operations/ask-json.ts';
import { type SourceRecord, SourceFailure } from './import-kind.ts';
import type { ImportedKind } from './import.entity.ts';

/**
 * Returns the records in an element of a list. An element of another form becomes a record that no check accepts, so that it holds up nothing.
 *
 * @param read throws ZodError for an element of another form
 */
export function readElement(
  kind: ImportedKind,
  element: Record<string, unknown>,
  read: (element: Record<string, unknown>) => SourceRecord[],
): SourceRecord[] {
  try {
    return read(element);
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    const id = element['id'] ?? element['key'];
    const known = typeof id === 'string' || typeof id === 'number';
    return [{ kind, id: known ? String(id) : JSON.stringify(element).slice(0, 200), data: element }];
  }
}

/** Returns the key and what belongs to it (`Tool.secondPart`), empty if one is missing or cannot be sent in a header. */
export function partsOfKey(credentials: string | null): [key: string, id: string] {
  const [, key = '', owner = ''] = /^\s*([!-~]+)\s*:\s*([!-9;-~]+)\s*$/.exec(credentials ?? '') ?? [];
  return [key, owner];
}

/** Returns the fields of a customer whom a tool names by one id: that of the payment provider, or the merchant's own. */
export function customerIds(id: string | null | undefined): {
  psp_customer_id: string | null;
  external_customer_id: string | null;
} {
  const isOfProvider = id?.startsWith('cus_') ?? false;
  return { psp_customer_id: isOfProvider ? id! : null, external_customer_id: isOfProvider ? null : id || null };
}

/** Returns an address as a URL. Tools also store hosts. */
export function withScheme(url: string): string {
  return /^https?:\/\//i.test(url) ? url : `https://${url}`;
}

/** Returns an address without a parameter of its query. A text that is not an address stays. */
export function withoutParameter(text: string, name: string): string {
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  url.searchParams.delete(name);
  return url.href;
}

const TIMEOUT_MS = 30_000;
/** Seconds after which a source is asked again that does not say when. */
const RETRY_SECONDS = 30;
const MAX_RETRY_SECONDS = 3_600;

/**
 * Reads a JSON object or array from the API of a tool.
 *
 * @throws SourceFailure
 */
export async function readJson(url: string, headers: Readonly<Record<string, string>>): Promise<object> {
  const { status, value, retryAfter } = await asked(url, headers);
  if (status === 401) throw new SourceFailure('key_refused');
  if (status === 402 || status === 403) throw new SourceFailure('no_api_access');
  if (status === 429 || status >= 500)
    throw new SourceFailure('unreachable', { retryAfter: Math.min(retryAfter ?? RETRY_SECONDS, MAX_RETRY_SECONDS) });
  if (status !== 200) throw new SourceFailure('not_understood');
  if (typeof value === 'object' && value !== null) return value;
  // A page of HTML, e.g. of maintenance.
  throw new SourceFailure('not_understood', { retryAfter: RETRY_SECONDS });
}

async function asked(url: string, headers: Readonly<Record<string, string>>): Promise<JsonAnswer> {
  try {
    return await askJson(url, { headers, timeoutMs: TIMEOUT_MS });
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    if (error.reason === 'too_large') throw new SourceFailure('not_understood');
    throw new SourceFailure('unreachable', { retryAfter: RETRY_SECONDS });
  }
}

/** The fields of records that a source need not have, with what they are then. */
const UNTOLD = {
  affiliate: { first_name: null, last_name: null, campaign: null, payout_emails: { paypal: null, wise: null }, created_at: null },
  link: { campaign: null, url: null, created_at: null },
  customer: {
    campaign: null,
    token: null,
    psp_customer_id: null,
    external_customer_id: null,
    email: null,
    name: null,
    created_at: null,
    converted_at: null,
    expires_at: null,
  },
  code: { link: null, psp_promotion_code_id: null, is_active: true, created_at: null },
  commission: {
    affiliate: null,
    campaign: null,
    customer: null,
    is_money: true,
    flagged: false,
    currency: null,
    due_at: null,
    paid_at: null,
    voided_at: null,
    sale: null,
    payout: null,
  },
  payout: { currency: null, paid_at: null, reference: null, commissions: null },
};

/** Returns a record, whose id is also the merchant's own id of it unless `data` has another one. A field that is undefined is not told. */
export function recordOf(kind: keyof typeof UNTOLD, id: string, data: Readonly<Record<string, unknown>>): SourceRecord {
  const told = Object.entries(data).filter(([, value]) => value !== undefined);
  return { kind, id, data: { ...(kind !== 'code' && { external_id: id }), ...UNTOLD[kind], ...Object.fromEntries(told) } };
}

/** Returns the sale of a commission, of which the source tells neither tax nor refunds. */
export function saleOf(names: SaleNames, charge_amount_cents: unknown, currency: string, charged_at: string | null) {
  return { ...names, charge_amount_cents, tax_amount_cents: 0, refund_amount_cents: 0, currency, charged_at };
}
