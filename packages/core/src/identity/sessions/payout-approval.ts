import { z } from 'zod';
import type { Instant } from '../../platform/time/instant.ts';
import { currency, currencyCode } from '../../platform/wire/scalars.ts';
import { IDENTITY_REASONS } from '../reasons.ts';

const amounts = () => z.array(z.object({ currency: currencyCode(), amount_cents: z.int() }));

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
  })
  .meta({ id: 'PayoutApproval', description: 'Rules for payments that the service sends.' });
export type PayoutApproval = z.infer<typeof PayoutApproval>;

const { second_person, above, daily_limits } = PayoutApproval.shape;

const enteredAmounts = () =>
  z
    .array(z.strictObject({ currency: currency(), amount_cents: z.int().min(0).max(Number.MAX_SAFE_INTEGER) }))
    .max(50)
    .refine((list) => new Set(list.map((each) => each.currency)).size === list.length, IDENTITY_REASONS.limit_currency_twice);

/** The same as an admin enters it. */
export const SetPayoutApproval = z.strictObject({
  second_person,
  above: enteredAmounts().default([]).describe(above.description!),
  daily_limits: enteredAmounts().nullable().default(null).describe(daily_limits.description!),
});

/** Initially, payments need no second person. */
export const NO_APPROVAL: PayoutApproval = { second_person: 'never', above: [], daily_limits: null };

/** Rules that were in force before others. For a day they hold beside the new ones, so that nobody loosens the rules and pays at once. */
export interface FormerApproval {
  until: Instant;
  rules: PayoutApproval;
}

/** An amount in the minor unit of its currency. */
interface Amount {
  currency: string;
  amount_cents: number;
}

/** Returns all rules that hold at a time. */
export function rulesInForce(
  { payout_approval, former_payout_approvals }: { payout_approval: PayoutApproval; former_payout_approvals: FormerApproval[] },
  at: Instant,
): PayoutApproval[] {
  return [payout_approval, ...former_payout_approvals.filter(({ until }) => until > at).map(({ rules }) => rules)];
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
