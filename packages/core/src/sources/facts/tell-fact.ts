/** Turns facts into the language of sources, and keeps the newest ones about customers and codes. Payments keep their version with the sale. */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { WriteCtx } from '../../platform/call/context.ts';
import type { ProviderPromotionCode } from '../port/capabilities.ts';
import type { CompletionScope, EventPayer, SourceEvent } from '../port/port.ts';
import type { CodeSeen, Payer, PayerSeen, PaymentSeen, Seen, SubscriptionSeen } from '../port/seen.ts';
import type { Fact } from './fact.schema.ts';

export const FACTS = 'facts';

export interface FactEvent extends SourceEvent {
  fact: Fact;
}

type PaymentFact = Extract<Fact, { type: 'payment.seen' }>;
type CustomerFact = Extract<Fact, { type: 'customer.seen' }>;
type CodeFact = Extract<Fact, { type: 'code.seen' }>;

/** Digits of a version, so that texts compare like the numbers in them. */
const VERSION_DIGITS = 16;

/** Returns what a fact says. An older fact about the same customer or code says nothing, in whatever order they come. */
export async function tellFact(ctx: WriteCtx, connectionId: string, { fact }: FactEvent): Promise<Seen[]> {
  if (fact.type === 'payment.seen') return [paymentSeen(connectionId, fact)];
  const version = versionOf(fact);
  if (fact.type === 'code.seen') {
    const seen = codeSeen(connectionId, fact);
    const isNews = await keepState(ctx, connectionId, { subject: seen.code.id, version, code: seen.code });
    return isNews ? [seen] : [];
  }
  const { live, payer } = fact.data;
  const { ids, external_id, email } = payer;
  const subject = digestOf(['customer', live, ids[0] ?? null, ids.length === 0 ? (external_id ?? email?.toLowerCase()) : null]);
  const isNews = await keepState(ctx, connectionId, { subject, version, code: null });
  return isNews ? customerSeen(connectionId, fact) : [];
}

/** Returns a version that compares like the number. Of facts with the same number, always the same one is the newer. */
function versionOf({ data }: Fact): string {
  return `${String(data.version).padStart(VERSION_DIGITS, '0')} ${digestOf(data).slice(0, 8)}`;
}

function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}

/** Returns a name that a test does not share with a live payment. */
function inMode(live: boolean, name: string): string {
  return live ? name : `test ${name}`;
}

/** Returns the payer of a fact; null for a code. */
export function payerOf(fact: Fact): EventPayer | null {
  if (fact.type === 'code.seen') return null;
  const { ids, externalId, email } = payerSeen(fact);
  const formerEmail = fact.type === 'customer.seen' ? (fact.data.former_email ?? null) : null;
  return { id: ids[0] ?? null, externalId, email, formerEmail };
}

function payerSeen({ data: { live, payer } }: PaymentFact | CustomerFact): Payer {
  const { ids, external_id = null, email = null, name = null } = payer;
  return { ids: ids.map((id) => inMode(live, id)), externalId: external_id, email, name };
}

function toldIn(connectionId: string, live: boolean) {
  return { source: FACTS, connectionId, mode: live ? 'live' : 'test' } as const;
}

function paymentSeen(connectionId: string, fact: PaymentFact): PaymentSeen {
  const { data, timestamp } = fact;
  const { live, names, charged = null, lines, codes, references, refunds, disputes, subscription = null } = data;
  const currency = charged?.currency ?? '';
  const saidAt = charged?.at ?? timestamp;
  return {
    kind: 'payment',
    ...toldIn(connectionId, live),
    names: names.map((name) => inMode(live, name)),
    group: null,
    payer: payerSeen(fact),
    charged: charged && {
      amount: { amount: charged.amount, currency },
      tax: typeof charged.tax === 'number' ? { amount: charged.tax, currency } : null,
      at: charged.at,
    },
    lines: lines.map(({ product = null, price = null, name = null, interval = null, quantity, amount }) => ({
      product,
      price,
      name,
      interval,
      quantity,
      amount_cents: amount,
    })),
    references: references.map(({ value, at }) => ({ value, place: 'checkout', ofPayment: true, at: at ?? saidAt })),
    codes: codes.map(({ code, at = null }) => ({ id: null, text: code, at })),
    way: null,
    excluded: data.excluded,
    paidOutside: false,
    refunds: refunds.map(({ id, amount, tax, at, state, failed_at = null, lines: taken }) => ({
      id,
      amount,
      at,
      state,
      failedAt: failed_at,
      taxed: typeof tax === 'number' ? [{ amount, tax: { amount: tax, currency } }] : [],
      lines: taken.map(({ product = null, amount: back }) => ({ product, amount: back })),
    })),
    disputes,
    subscription: subscription && { id: subscription.id, trialUntil: subscription.trial_until ?? null },
    description: data.description ?? null,
    version: versionOf(fact),
  };
}

function customerSeen(connectionId: string, fact: CustomerFact): (PayerSeen | SubscriptionSeen)[] {
  const { data, timestamp: at } = fact;
  const { live, references, codes, subscription, excluded } = data;
  const told = { ...toldIn(connectionId, live), payer: payerSeen(fact), at };
  const seen: PayerSeen = {
    kind: 'payer',
    ...told,
    place: 'record',
    formerEmail: data.former_email ?? null,
    references: references.map(({ value, at: said }) => ({ value, place: 'checkout', from: null, at: said ?? at })),
    redemptions: codes.map(({ code, at: redeemed }) => ({ id: codeId(live, code), at: redeemed ?? at, source: `code ${code}` })),
    exclusion: typeof excluded === 'boolean' ? { excluded, isNew: false } : null,
  };
  if (!subscription) return [seen];
  return [seen, { kind: 'subscription', ...told, id: subscription.id, trialUntil: subscription.trial_until ?? null }];
}

/** Returns the id of a code. Case does not matter in codes. */
function codeId(live: boolean, text: string): string {
  return inMode(live, `code:${text.toLowerCase()}`);
}

function codeSeen(connectionId: string, { data, timestamp: at }: CodeFact): CodeSeen {
  const { code, live, active, created_at, expires_at, max_redemptions = null, times_redeemed: timesRedeemed } = data;
  return {
    kind: 'code',
    connectionId,
    at,
    code: {
      id: codeId(live, code),
      code,
      active,
      mode: live ? 'live' : 'test',
      couponId: null,
      customerId: null,
      createdAt: new Date(created_at ?? at),
      expiresAt: expires_at ? new Date(expires_at) : null,
      maxRedemptions: max_redemptions,
      timesRedeemed,
      firstTimeTransaction: false,
      minimumAmount: null,
      minimumAmountCurrency: null,
      metadata: {},
    },
  };
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    told_state: ToldStateTable;
  }
}

interface ToldStateTable {
  account_id: string;
  connection_id: string;
  /** Digest of a customer's names, or the id of a code. */
  subject: string;
  version: string;
  /** The state of a code; null for a customer. */
  code: string | null;
}

interface ToldState {
  subject: string;
  version: string;
  code: ProviderPromotionCode | null;
}

/** Keeps the version of a fact. Returns false if the source has told something newer of the same subject before. */
async function keepState(ctx: WriteCtx, connectionId: string, { subject, version, code }: ToldState): Promise<boolean> {
  ctx.locks.assertHeld('psp events');
  const { rows } = await sql`
    insert into told_state (account_id, connection_id, subject, version, code)
    values (${ctx.accountId}, ${connectionId}, ${subject}, ${version}, ${code && JSON.stringify(code)}::jsonb)
    on conflict (connection_id, subject) do update set version = excluded.version, code = excluded.code
    where told_state.version <= excluded.version
    returning 1`.execute(ctx.db);
  return rows.length > 0;
}

export async function findToldCodes({ db, accountId, connectionId }: CompletionScope): Promise<ProviderPromotionCode[]> {
  const { rows } = await sql<{ code: ProviderPromotionCode & { createdAt: string; expiresAt: string | null } }>`
    select code from told_state
    where account_id = ${accountId} and connection_id = ${connectionId} and code is not null order by subject`.execute(db);
  return rows.map(({ code }) => ({
    ...code,
    createdAt: new Date(code.createdAt),
    expiresAt: code.expiresAt === null ? null : new Date(code.expiresAt),
  }));
}
