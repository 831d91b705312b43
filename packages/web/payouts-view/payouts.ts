import type { Host, ToolReply } from './host.ts';

/** A payout as the view shows it. */
export interface Payout {
  id: string;
  affiliate_id: string;
  /** Null in the reply of the assistant's own call, unless it asked for the affiliate. */
  affiliate: { email: string; first_name: string | null; last_name: string | null; state: string } | null;
  state: string;
  amount_cents: number;
  currency: string;
  livemode: boolean;
  commissions_count: number;
  ineligible_reasons: readonly string[];
}

/** A page of payouts. */
export interface PayoutPage {
  payouts: Payout[];
  total: number;
  /** The argument `cursor` of the call for the next page. Null on the last page. */
  cursor: string | null;
}

type Given = Readonly<Record<string, unknown>>;

/** Columns that the view needs. */
const FIELDS = [
  'id',
  'affiliate_id',
  'affiliate',
  'state',
  'amount_cents',
  'currency',
  'livemode',
  'commissions_count',
  'ineligible_reasons',
];

/** An error of the service or the host, with a message for people. */
class CallError extends Error {}

/** Returns the JSON in the text of a reply. Throws CallError for a reply that reports an error. */
function bodyOf({ content, isError = false }: ToolReply): Record<string, unknown> {
  const text = content.find(({ type }) => type === 'text')?.text ?? '';
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    // Not a reply of the service: a host may put its own message in place of it.
  }
  if (isError || typeof body !== 'object' || body === null) {
    const { error, details } = (body ?? {}) as { error?: string; details?: { message?: string }[] };
    const detail = Array.isArray(details) ? details[0]?.message : undefined;
    throw new CallError([error, detail].filter((part) => part !== undefined).join(' ') || text);
  }
  return body as Record<string, unknown>;
}

/** Reads the reply to `payouts`, action `list` or `get`. Fields that the assistant left out have neutral values. */
export function pageOf(reply: ToolReply): PayoutPage {
  const { result, next_cursor } = bodyOf(reply) as { result: Record<string, unknown>; next_cursor?: string };
  const { columns, rows, total_count } = result as { columns?: string[]; rows?: unknown[][]; total_count?: number };
  const records =
    columns && rows ? rows.map((row) => Object.fromEntries(columns.map((column, place) => [column, row[place]]))) : [result];
  return { payouts: records.map(payoutOf), total: total_count ?? records.length, cursor: next_cursor ?? null };
}

function payoutOf(record: Record<string, unknown>): Payout {
  const unknown: Payout = {
    id: '',
    affiliate_id: '',
    affiliate: null,
    state: '',
    amount_cents: 0,
    currency: 'XXX',
    livemode: true,
    commissions_count: 0,
    ineligible_reasons: [],
  };
  return { ...unknown, ...record };
}

/** Loads the payouts of the assistant's call with the fields that the view needs. */
export async function loadPage(host: Host, given: Given, cursor?: string): Promise<PayoutPage> {
  const listed = given['action'] === 'get' ? {} : { fields: FIELDS, ...(cursor === undefined ? {} : { cursor }) };
  return pageOf(await host.callTool('payouts', { ...given, ...listed, expand: ['affiliate'] }));
}

/** A change of a payout, or of all payouts of an affiliate. */
export interface Change {
  kind: 'pay' | 'hold' | 'release';
  payout: Payout;
}

/** A previewed change. */
export interface PreviewedChange extends Change {
  call: { tool: string; given: Given };
  /** The token with which the change repeats its preview. */
  token: string | undefined;
  /** The payout as it would be paid. */
  amount_cents: number;
}

/**
 * Previews a change. A held affiliate is `suspicious`: the payouts get the reason `on_hold` and new commissions are flagged, until the affiliate is
 * `active` again.
 */
export async function preview(host: Host, change: Change): Promise<PreviewedChange> {
  const { kind, payout } = change;
  const call =
    kind === 'pay'
      ? { tool: 'manage_payouts', given: { action: 'pay', id: payout.id } }
      : {
          tool: 'manage_affiliates',
          given: { action: 'update', id: payout.affiliate_id, state: kind === 'hold' ? 'suspicious' : 'active' },
        };
  const { result, preview_token } = bodyOf(await host.callTool(call.tool, call.given)) as {
    result: { amount_cents?: number };
    preview_token?: string;
  };
  return { ...change, call, token: preview_token, amount_cents: result.amount_cents ?? payout.amount_cents };
}

/** Carries out a previewed change. Repeating it with the same preview has no further effect. */
export async function carryOut(host: Host, { call, token }: PreviewedChange): Promise<void> {
  const confirmed = token === undefined ? {} : { preview_token: token, idempotency_key: `view ${token}` };
  bodyOf(await host.callTool(call.tool, { ...call.given, dry_run: false, ...confirmed }));
}
