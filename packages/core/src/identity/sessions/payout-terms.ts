import { z } from 'zod';
import type { Db } from '../../platform/db/database.ts';
import { IDENTITY_REASONS } from '../reasons.ts';
import { amounts, enteredAmounts } from './payout-approval.ts';

/** The terms on which an account pays by a method (docs/rules/payouts.md#fees). */
export const PayoutTerms = z
  .object({
    method: z.string().max(40).describe('Kind of the method.').meta({ example: 'paypal' }),
    fee_bearer: z
      .enum(['merchant', 'affiliate'])
      .describe('`affiliate`: the fee of a payment is taken from the amount that is sent. `merchant`: it is paid besides.'),
    fees: amounts().describe(
      'Fee of a payment that an affiliate bears. In other currencies, it is the fee that the service quotes before; without a quote, you bear it.',
    ),
    minimums: amounts().describe('Smallest payouts that are paid by the method. No minimum in other currencies.'),
    paused: z
      .boolean()
      .describe(
        '`true`: nothing new is prepared or sent by the method. Payments that the service which pays has are followed to their end.',
      ),
  })
  .meta({ id: 'PayoutTerms', description: 'The terms on which affiliates are paid by a method.' });
export type PayoutTerms = z.infer<typeof PayoutTerms>;

/** The terms of all methods, as an admin enters them. */
export const SetPayoutTerms = z
  .array(
    z.strictObject({
      method: PayoutTerms.shape.method,
      fee_bearer: PayoutTerms.shape.fee_bearer.default('merchant').describe(PayoutTerms.shape.fee_bearer.description!),
      fees: enteredAmounts().default([]).describe(PayoutTerms.shape.fees.description!),
      minimums: enteredAmounts().default([]).describe(PayoutTerms.shape.minimums.description!),
      paused: PayoutTerms.shape.paused.default(false).describe(PayoutTerms.shape.paused.description!),
    }),
  )
  .max(20)
  .refine((list) => new Set(list.map(({ method }) => method)).size === list.length, IDENTITY_REASONS.method_twice);

/** Reports whether some method that is paused is not paused by other terms. */
export function resumesAny(former: readonly PayoutTerms[], terms: readonly PayoutTerms[]): boolean {
  return former.some(({ method, paused }) => paused && !isPaused(terms, method));
}

export function isPaused(terms: readonly PayoutTerms[], kind: string): boolean {
  return terms.some(({ method, paused }) => method === kind && paused);
}

/** Finds the terms of an account for a method. Undefined: no fee and no minimum. */
export async function findPayoutTerms(
  { db, accountId }: { db: Pick<Db, 'selectFrom'>; accountId: string },
  method: string,
): Promise<PayoutTerms | undefined> {
  const account = db.selectFrom('account').select('payout_terms').where('id', '=', accountId);
  return (await account.executeTakeFirst())?.payout_terms.find((terms) => terms.method === method);
}
