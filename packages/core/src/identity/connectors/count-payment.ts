import { sql } from 'kysely';
import type { WriteCtx } from '../../platform/call/context.ts';
import { lock } from '../../platform/call/records.ts';
import { oneOf } from '../../platform/db/conditions.ts';
import { DomainError } from '../../platform/errors/errors.ts';
import { type Instant, plusMilliseconds, toInstant } from '../../platform/time/instant.ts';
import { Connector, type PayLimit } from './connector.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    /** An amount that counts against the daily limits of a connector. Rows older than a day are deleted when the connector pays again. */
    connector_payment: {
      account_id: string;
      connector_id: string;
      /** Id of the payout, export, run or commission that was paid. */
      subject: string;
      currency: string;
      amount_cents: number;
      counted_at: Instant;
    };
  }
}

const DAY_MS = 24 * 3_600_000;

/** An amount that a call marks as paid, in one currency. */
type Payment = PayLimit;

/**
 * Counts amounts that a connector marks as paid against its daily limits. Does nothing for other callers, and for a connector without
 * limits. A payment counts once, however often it is repeated; if it is larger than before, the rest counts, too. A negative amount does not count,
 * because it must not make room for other payments. A payment is counted in the transaction that decides it, so both happen or neither. A preview only checks the limits (docs/rules/assistants.md#daily-limits).
 *
 * @param subject the payout, export, run or commission that is paid
 * @throws PAY_LIMIT_EXCEEDED
 */
export async function countPayment(ctx: WriteCtx, subject: string, payments: readonly Payment[]): Promise<void> {
  const { principal } = ctx;
  if (principal.kind !== 'connector' || principal.daily_pay_limits === null) return;
  // The lock makes concurrent payments count one after the other. The stored limits are used, because those of the principal may be a second old.
  const connector = ctx.preview
    ? { id: principal.id, daily_pay_limits: principal.daily_pay_limits }
    : await lock(ctx, Connector, principal.id);
  if (connector.daily_pay_limits === null) return;
  const now = toInstant(ctx.services.clock.now());
  const since = plusMilliseconds(now, -DAY_MS);
  const counted = await ctx.db
    .selectFrom('connector_payment')
    .select(['subject', 'currency', 'amount_cents'])
    .where('account_id', '=', ctx.accountId)
    .where('connector_id', '=', connector.id)
    .where('counted_at', '>', since)
    .execute();
  const sumOf = (rows: typeof counted) => rows.reduce((sum, row) => sum + row.amount_cents, 0);
  const added = payments.flatMap(({ currency, amount_cents }) => {
    const before = counted.filter((row) => row.currency === currency);
    const rest = amount_cents - sumOf(before.filter((row) => row.subject === subject));
    return rest > 0 ? [{ currency, amount_cents: rest, counted_cents: sumOf(before) }] : [];
  });
  for (const { currency, amount_cents, counted_cents } of added) {
    const limit_cents = connector.daily_pay_limits.find((each) => each.currency === currency)?.amount_cents ?? 0;
    if (counted_cents + amount_cents > limit_cents) throw exceeded({ currency, limit_cents, counted_cents, amount_cents });
  }
  if (ctx.preview || added.length === 0) return;
  await sql`delete from connector_payment
    where account_id = ${ctx.accountId} and connector_id = ${connector.id} and counted_at <= ${since}::timestamptz`.execute(
    ctx.db,
  );
  const own = { account_id: ctx.accountId, connector_id: connector.id, subject, counted_at: now };
  await ctx.db
    .insertInto('connector_payment')
    .values(added.map(({ currency, amount_cents }) => ({ ...own, currency, amount_cents })))
    .onConflict((row) =>
      row.columns(['connector_id', 'subject', 'currency']).doUpdateSet({
        amount_cents: sql`connector_payment.amount_cents + excluded.amount_cents`,
        counted_at: now,
      }),
    )
    .execute();
}

interface Excess {
  currency: string;
  limit_cents: number;
  counted_cents: number;
  amount_cents: number;
}

function exceeded(details: Excess): DomainError {
  return new DomainError('PAY_LIMIT_EXCEEDED', undefined, { ...details });
}

/** Moves the counted payments of replaced connectors to their successor, so that a new consent does not start the day anew. */
export async function inheritPayments(ctx: WriteCtx, successor: string, replaced: readonly string[]): Promise<void> {
  if (replaced.length === 0) return;
  await ctx.db
    .updateTable('connector_payment')
    .set({ connector_id: successor })
    .where('account_id', '=', ctx.accountId)
    .where(oneOf('connector_id', replaced))
    .execute();
}
