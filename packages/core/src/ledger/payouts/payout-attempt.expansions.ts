import { z } from 'zod';
import { expandable } from '../../platform/call/expand.ts';
import { modeFilter, oneOrMore, updatedRange } from '../../platform/wire/filters.ts';
import { sortBy } from '../../platform/wire/list-order.ts';
import { pageInput, paginated } from '../../platform/wire/pagination.ts';
import { id } from '../../platform/wire/scalars.ts';
import { toAffiliate } from '../../program/affiliates/affiliate.ts';
import { ATTEMPT_STATES } from './payout-attempt.entity.ts';
import { PayoutAttemptRecord } from './payout-attempt.schema.ts';

export const attemptExpansions = expandable<PayoutAttemptRecord>()({ affiliate: toAffiliate });

export const ListPayoutAttempts = z.strictObject({
  ...pageInput,
  ...sortBy('updated_at'),
  ...attemptExpansions.input,
  ...updatedRange,
  payout_id: id('payout').optional(),
  affiliate_id: id('affiliate').optional(),
  batch_id: z
    .string()
    .max(200)
    .optional()
    .describe('Returns the attempts of an export, a run or a batch.')
    .meta({ example: 'pexp_01k9v7m3q8e2t4r6w8y0a1b2c3' }),
  method: z.string().max(40).optional().describe('Returns the attempts by a kind of method.').meta({ example: 'paypal' }),
  state: oneOrMore(ATTEMPT_STATES),
  livemode: modeFilter(),
});
export type ListPayoutAttempts = z.infer<typeof ListPayoutAttempts>;
export const PayoutAttemptPage = paginated(
  z.object({ ...PayoutAttemptRecord.shape, ...attemptExpansions.output }).meta({
    id: 'ListedPayoutAttempt',
    description: 'One try to pay a payout, on request with the affiliate.',
  }),
);
