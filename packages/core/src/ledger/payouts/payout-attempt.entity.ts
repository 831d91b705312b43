import { defineEntity, p } from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';
import { cents, instant, recordColumns, type Row } from '../../platform/db/columns.ts';

/** States in which an attempt holds its payout: nothing else can pay the payout, and it takes no more commissions. */
const UNFINISHED = ['prepared', 'approved', 'sent', 'unknown', 'in_transit', 'unclaimed'] as const;
/** States of an attempt that was made. `arrived` may become `returned`. */
export const ATTEMPT_STATES = [...UNFINISHED, 'arrived', 'returned', 'failed', 'withdrawn'] as const;
export type AttemptState = (typeof ATTEMPT_STATES)[number];

/** SQL condition: the attempt `alias` holds its payout until it has ended. */
export function isUnfinished(alias = 'attempt'): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(`${alias}.state`)} in (${sql.join(UNFINISHED.map((state) => sql.lit(state)))})`;
}

/** SQL condition: the row of `attempt` holds its payout or has paid it, even if the money came back later. At most one attempt of a payout does. */
export const HOLDS_PAYOUT = sql<boolean>`(
  attempt.state not in ('candidate', 'failed', 'withdrawn') and (attempt.state <> 'returned' or attempt.arrived_at is not null))`;

/** Reason of an attempt that was given up, and whose rail says now that it has been made. */
export const ARRIVED_AFTER_ALL = 'arrived_after_all';

/** Reason of an attempt that is not sent before its affiliate has been cleared (`payout_screening`). */
export const SCREENING = 'screening';

/** Reason of a withdrawn attempt that a person took out of an export (docs/rules/payouts.md#exports). */
export const TAKEN_OUT = 'taken_out';

/** The method of payments that no method of the service makes. */
export const PAID_BY_HAND = 'by_hand';

/** `raw_state` of payments that another tool made before the account existed here. No event has told of them. */
export const PAID_ELSEWHERE = 'paid_elsewhere';

export const PayoutAttempt = defineEntity({
  name: 'PayoutAttempt',
  tableName: 'payout_attempt',
  properties: {
    ...recordColumns,
    /** The payout may not exist any more: once released, it can be merged into another payout. */
    payout_id: p.string(),
    affiliate_id: p.string(),
    /** The batch that prepared the attempt. Null for a payment by hand. */
    batch_id: p.string().strictNullable(),
    method: p.string(),
    livemode: p.boolean(),
    /** `amount_cents` and `commissions_count` are those of the payout when it was chosen, and again when it was claimed. */
    amount_cents: cents(),
    currency: p.string(),
    commissions_count: p.integer(),
    /** `candidate`: chosen by a batch that has not claimed the payout yet. */
    state: p.string().$type<AttemptState | 'candidate'>(),
    /** Why the attempt failed, was withdrawn or returned. An unfinished attempt of a file or a run with a reason could neither be made nor released. */
    reason: p.string().strictNullable(),
    /** True if the attempt does not count in its batch any more: the batch has tried again, or a person took the payout out of an export. */
    superseded: p.boolean(),
    /** Number of this try among those of the batch for the payout. A new try has a new key, so it is made only after a certain failure. */
    key_generation: p.integer(),
    prepared_at: instant().strictNullable(),
    sent_at: instant().strictNullable(),
    arrived_at: instant().strictNullable(),
    returned_at: instant().strictNullable(),
    /** Time at which the attempt failed or was withdrawn. */
    ended_at: instant().strictNullable(),
    /** The receiver at the time of the preparation, as sealed JSON. Null if a person pays without the service. */
    sealed_receiver: p.string().strictNullable(),
    /** Versions of the affiliate's payout methods at that time (`methodVersions`). */
    method_versions: p.json<[string, number][]>().strictNullable(),
    /** Time at which the payment was first sent. Never moves: the rail may forget the key of the payment, which is the id of the attempt. */
    first_posted_at: instant().strictNullable(),
    /** Until this time, no process sends or asks about the payment. Null if there is nothing to do for the service. */
    lease_until: instant().strictNullable(),
    /** Time at which the service was told to send the payment, and who had approved it. The rules for payments count by them. */
    authorized_at: instant().strictNullable(),
    approved_by: p.string().strictNullable(),
    /** Time at which a person asked to call the payment back. Null once the rail has answered. */
    cancel_requested_at: instant().strictNullable(),
    /** The rail's own name of the state. */
    raw_state: p.string().strictNullable(),
    /** The account at the rail through which the payment was first sent (`payout_rail`). Never another one. */
    rail_id: p.string().strictNullable(),
    /** The rail's id of the batch in which it has the payment. Known before the id of the payment. */
    provider_batch_id: p.string().strictNullable(),
    /** The rail's id of the payment. */
    provider_item_id: p.string().strictNullable(),
    /** Name of the receiver at the rail. */
    receiver_name: p.string().strictNullable(),
    /** Time at which an unclaimed payment comes back. */
    expires_at: instant().strictNullable(),
    /** Amounts at the rail, each in the minor unit of its currency: taken from the merchant, given to the affiliate, the fee, and what came back. */
    debited_cents: cents().strictNullable(),
    debited_currency: p.string().strictNullable(),
    credited_cents: cents().strictNullable(),
    credited_currency: p.string().strictNullable(),
    /** The rate by which the rail exchanged, in units of `credited_currency` for one of `debited_currency`, as a decimal number. */
    exchange_rate: p.string().strictNullable(),
    /** The part of `amount_cents` that the affiliate bears as the fee, and that is not sent. Null: the rail has to be asked for it before the payment is sent. */
    affiliate_fee_cents: cents().strictNullable().default(0),
    /** The fee that the method quoted when the payment was prepared. Null if it could not say. */
    quoted_fee_cents: cents().strictNullable(),
    quoted_fee_currency: p.string().strictNullable(),
    fee_cents: cents().strictNullable(),
    fee_currency: p.string().strictNullable(),
    returned_cents: cents().strictNullable(),
  },
});

/** One try to pay a payout. Attempts change with their payouts, under the lock of the affiliate. */
export type PayoutAttempt = Row<typeof PayoutAttempt>;

/** SQL expression: the amount that a row of `payout_attempt` sends. */
export const SENT_CENTS = sql<number>`payout_attempt.amount_cents - coalesce(affiliate_fee_cents, 0)`;

/** Returns the amount that an attempt sends. */
export function sentCents({
  amount_cents,
  affiliate_fee_cents,
}: Pick<PayoutAttempt, 'amount_cents' | 'affiliate_fee_cents'>): number {
  return amount_cents - (affiliate_fee_cents ?? 0);
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    payout_attempt: InferKyselyTable<typeof PayoutAttempt>;
  }
}
