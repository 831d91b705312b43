import { Type } from '@mikro-orm/core';
import type { Instant } from './clock.ts';

export type { Instant };

/** Converts PostgreSQL's text form (session time zone UTC) to an `Instant` without going through `Date`. */
export function instantFromDatabase(text: string): Instant {
  // "2026-11-20 23:42:57.123+00", or "2026-11-20T23:42:57.123+00:00" in JSON: nine of ten have all digits of the fraction.
  if (text[23] === '+') return `${text.slice(0, 10)}T${text.slice(11, 23)}Z`;
  // "2026-11-20 23:42:57.12+00": cut the zone, pad the fraction to milliseconds.
  const end = text.indexOf('+', 19);
  const fraction = text.slice(20, end === -1 ? undefined : end);
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(3, '0').slice(0, 3)}Z`;
}

/** The first instant, and the last whose year has four digits. Later instants have another form, which neither compares nor can be stored. */
const FIRST = '1970-01-01T00:00:00.000Z';
const LAST = '9999-12-31T23:59:59.999Z';

/** True if a text is an instant of the years 1970 to 9999. */
export function isInstant(text: string): boolean {
  const date = new Date(text);
  return !Number.isNaN(date.getTime()) && date.toISOString() === text && text >= FIRST && text <= LAST;
}

export function toInstant(date: Date): Instant {
  return date.toISOString();
}

/** Returns the instant `milliseconds` after `at`, or before `at` if `milliseconds` is negative. */
export function plusMilliseconds(at: Instant, milliseconds: number): Instant {
  return new Date(Date.parse(at) + milliseconds).toISOString();
}

export function earlierOf(a: Instant, b: Instant): Instant {
  return a < b ? a : b;
}

export function laterOf(a: Instant, b: Instant): Instant {
  return a > b ? a : b;
}

export function plusDays(at: Instant, days: number): Instant {
  return plusMilliseconds(at, days * 86_400_000);
}

/**
 * Adds calendar months. If the day does not exist in the resulting month, returns that month's last day (31 January + 1 month = 28 or 29
 * February).
 */
export function plusMonths(at: Instant, months: number): Instant {
  const date = new Date(at);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, lastDay));
  return date.toISOString();
}

/** The column type of instants: a string in code, `timestamptz(3)` in the database. */
export class InstantType extends Type<Instant, Instant> {
  override getColumnType(): string {
    return 'timestamptz(3)';
  }

  override get runtimeType(): string {
    return 'string';
  }

  override compareAsType(): string {
    return 'string';
  }
}

/** Truncates an instant to whole seconds, the precision of the payment provider's timestamps. */
export function wholeSecond(at: Instant): Instant {
  return `${at.slice(0, 19)}.000Z`;
}

/**
 * True if a charge at `charged` came before a change at `changed`. The payment provider reports whole seconds, so for such a charge a change counts
 * from the start of its second.
 */
export function isBefore(charged: Instant, changed: Instant): boolean {
  return charged < (charged === wholeSecond(charged) ? wholeSecond(changed) : changed);
}
