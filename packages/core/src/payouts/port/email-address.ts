import { z } from 'zod';
import type { Reason } from '../../platform/texts/reason.ts';
import { readsAsFormula } from '../../platform/wire/csv-line.ts';
import { email } from '../../platform/wire/scalars.ts';
import { nameOf, type PayoutItem, type Problem } from './method.ts';
import type { ProblemCode } from './problem-code.ts';
import { PAYOUT_REASONS } from './reasons.ts';

/** The address of a method that finds its receivers by email address. */
export const EmailAddress = z.strictObject({ email: email() });

/**
 * Returns a problem for each payout whose affiliate has no address for this method, or an address that starts like a spreadsheet formula.
 *
 * @param name name of the service, for people
 */
export function emailProblems(kind: string, name: string, items: readonly PayoutItem[]): Problem[] {
  return items.flatMap((item): Problem[] => {
    const { payout_id } = item;
    const address = emailFor(kind, item);
    const problem = (code: ProblemCode, message: Reason): Problem[] => [{ payout_id, code, message }];
    if (address === '')
      return problem('missing_address', PAYOUT_REASONS.address_missing({ name: nameOf(item), payout: payout_id, method: name }));
    if (!readsAsFormula(address)) return [];
    return problem(
      'unsafe_address',
      PAYOUT_REASONS.address_like_formula({ name: nameOf(item), payout: payout_id, method: name }),
    );
  });
}

/** Returns the receiver's email address for a method, or an empty text. */
export function emailFor(kind: string, { addresses }: PayoutItem): string {
  return addresses[kind]?.['email'] ?? '';
}
