import { z } from 'zod';
import { currencyCode, instant, signedCents } from '../../platform/wire/scalars.ts';

const KINDS = [
  'click',
  'referral_created',
  'converted',
  'deactivated',
  'sale',
  'sale_corrected',
  'sale_assigned',
  'refund',
  'refund_failed',
  'dispute_lost',
  'commission_created',
  'commission_changed',
  'commission_moved',
  'adjustment_created',
  'commission_due',
  'commission_paid',
  'commission_voided',
  'payout_claimed',
  'payout_paid',
  'payout_returned',
] as const;

export const RecordTimeline = z
  .object({
    entries: z
      .array(
        z.object({
          at: instant(),
          kind: z.enum(KINDS),
          record_id: z.string().describe('ID of the referral, sale, commission, or payout of this entry.'),
          amount_cents: signedCents()
            .nullable()
            .describe('Amount at the time of the entry, as long as its event is kept; later the current amount.'),
          previous_amount_cents: signedCents()
            .nullable()
            .describe('The amount before a change, if the change was one of the amount.'),
          currency: currencyCode().nullable(),
          note: z.string().nullable().describe('Reason or reference, if any.'),
          actor: z
            .string()
            .nullable()
            .describe('`visitor`, `stripe`, `report`, or the id of a user, API key, connector, run, or export; null if unknown.'),
          actor_name: z.string().nullable(),
        }),
      )
      .describe('Newest first. Of entries of one kind, the latest 50.'),
  })
  .meta({ id: 'Timeline', description: 'History of a record and of the records related to it.' });
export type RecordTimeline = z.infer<typeof RecordTimeline>;
