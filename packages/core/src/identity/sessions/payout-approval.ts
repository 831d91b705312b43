import { z } from 'zod';
import { type Instant, plusMilliseconds } from '../../platform/time/instant.ts';
import { currency, currencyCode } from '../../platform/wire/scalars.ts';
import { IDENTITY_REASONS } from '../reasons.ts';

export const amounts = () => z.array(z.object({ currency: currencyCode(), amount_cents: z.int() }));

/** The rules by which an account lets the service send payments. */
export const PayoutApproval = z
  .object({
    second_person: z
      .enum(['never', 'above', 'always'])
      .describe(
        'Payments that somebody else than who prepared them must approve: none, all, or those that exceed the amounts of `above`.',
      ),
    above: amounts().describe(
      'Largest amounts that are sent within 24 hours without approval. `0` in other currencies. Only for `above`.',
    ),
    daily_limits: amounts()
      .nullable()
      .describe(
        'Largest amounts that are sent within 24 hours, with or without approval. `0` in other currencies. `null`: no limit.',
      ),
    new_methods: z
      .boolean()
      .describe(
        '`true`: somebody else must approve the first payment of an affiliate by a method, and the first one after a change of addresses.',
      ),
    allowed_hours: z
      .object({ from: z.int(), until: z.int() })
      .nullable()
      .describe(
        'Hours of the day, in the time zone of the account, in which payments are sent: from the beginning of `from` to the beginning of `until`. `null`: all hours.',
      )
      .meta({ example: { from: 9, until: 17 } }),
  })
  .meta({ id: 'PayoutApproval', description: 'Rules for payments that the service sends.' });
export type PayoutApproval = z.infer<typeof PayoutApproval>;

const { second_person, above, daily_limits, new_methods, allowed_hours } = PayoutApproval.shape;

export const enteredAmounts = () =>
  z
    .array(z.strictObject({ currency: currency(), amount_cents: z.int().min(0).max(Number.MAX_SAFE_INTEGER) }))
    .max(50)
    .refine((list) => new Set(list.map((each) => each.currency)).size === list.length, IDENTITY_REASONS.limit_currency_twice);

/** The same as an admin enters it. */
export const SetPayoutApproval = z.strictObject({
  second_person,
  above: enteredAmounts().default([]).describe(above.description!),
  daily_limits: enteredAmounts().nullable().default(null).describe(daily_limits.description!),
  new_methods: new_methods.default(false).describe(new_methods.description!),
  allowed_hours: z
    .strictObject({ from: z.int().min(0).max(23), until: z.int().min(1).max(24) })
    .refine(({ from, until }) => from !== until, IDENTITY_REASONS.allowed_hours_empty)
    .nullable()
    .default(null)
    .describe(allowed_hours.description!),
});

/** Initially, payments need no second person. */
export const NO_APPROVAL: PayoutApproval = {
  second_person: 'never',
  above: [],
  daily_limits: null,
  new_methods: false,
  allowed_hours: null,
};

/** Rules that were in force before others. For a day they hold beside the new ones, so that nobody loosens the rules and pays at once. */
export interface FormerApproval {
  until: Instant;
  rules: PayoutApproval;
  time_zone: string;
}

/** The columns of an account that have its rules. */
interface AccountRules {
  payout_approval: PayoutApproval;
  former_payout_approvals: FormerApproval[];
  time_zone: string;
}

/** An amount in the minor unit of its currency. */
interface Amount {
  currency: string;
  amount_cents: number;
}

/** Returns all rules that hold at a time, each with the time zone of its hours. */
export function rulesInForce(
  { payout_approval, former_payout_approvals, time_zone }: AccountRules,
  at: Instant,
): (PayoutApproval & { time_zone: string })[] {
  const former = former_payout_approvals.filter(({ until }) => until > at);
  return [{ rules: payout_approval, time_zone }, ...former].map(({ rules, time_zone: zone }) => ({ ...rules, time_zone: zone }));
}

/** Step by which the next allowed time is sought: time zones differ by quarters of an hour. */
const QUARTER_MS = 900_000;

/** Returns the next time at which payments may be sent, or null if that is `at`. If no hour of two days is allowed, returns the end of these days. */
export function nextAllowed(account: AccountRules, at: Instant): Instant | null {
  if (isAllowedAt(account, at)) return null;
  let next = plusMilliseconds(at, QUARTER_MS - (new Date(at).getTime() % QUARTER_MS));
  for (let step = 1; step < 192 && !isAllowedAt(account, next); step += 1) next = plusMilliseconds(next, QUARTER_MS);
  return next;
}

function isAllowedAt(account: AccountRules, at: Instant): boolean {
  return rulesInForce(account, at).every(({ allowed_hours: hours, time_zone }) => {
    if (hours === null) return true;
    const { from, until } = hours;
    const hour = hourIn(time_zone, at);
    return from < until ? from <= hour && hour < until : from <= hour || hour < until;
  });
}

function hourIn(timeZone: string, at: Instant): number {
  return Number(new Intl.DateTimeFormat('en', { timeZone, hour: 'numeric', hourCycle: 'h23' }).format(new Date(at)));
}

/**
 * Reports whether somebody else must approve payments before they are sent.
 *
 * @param unapproved what was sent within a day without approval
 */
export function needsSecondPerson(
  rules: readonly PayoutApproval[],
  wanted: readonly Amount[],
  unapproved: readonly Amount[],
): boolean {
  return rules.some(
    ({ second_person, above }) =>
      second_person === 'always' || (second_person === 'above' && exceeded(above, wanted, unapproved) !== undefined),
  );
}

/**
 * Returns the first amount that exceeds a daily limit, or undefined.
 *
 * @param sent what was sent within a day
 */
export function exceededLimit(
  rules: readonly PayoutApproval[],
  wanted: readonly Amount[],
  sent: readonly Amount[],
): Amount | undefined {
  for (const { daily_limits: limits } of rules) {
    const over = limits && exceeded(limits, wanted, sent);
    if (over) return over;
  }
  return undefined;
}

function exceeded(limits: readonly Amount[], wanted: readonly Amount[], before: readonly Amount[]): Amount | undefined {
  const of = (list: readonly Amount[], code: string) => list.find(({ currency: own }) => own === code)?.amount_cents ?? 0;
  return wanted.find(({ currency: code, amount_cents }) => amount_cents + of(before, code) > of(limits, code));
}
