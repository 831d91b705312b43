import { z } from 'zod';
import { PlainPayout } from '../../payouts/payouts/payout.schema.ts';
import { pageInput, paginated } from '../../platform/wire/pagination.ts';
import { id } from '../../platform/wire/scalars.ts';

const {
  id: payoutId,
  state,
  amount_cents,
  currency,
  commissions_count,
  ineligible_reasons,
  paid_at,
  returned_at,
  created_at,
} = PlainPayout.shape;

export const PortalPayout = z
  .object({
    id: payoutId,
    state,
    amount_cents,
    currency,
    commissions_count,
    ineligible_reasons,
    paid_at,
    returned_at,
    created_at,
  })
  .meta({ id: 'PortalPayout', description: 'A payout, as its affiliate sees it.' });
export type PortalPayout = z.infer<typeof PortalPayout>;

export const ListPortalPayouts = z.strictObject(pageInput);
export const PortalPayoutPage = paginated(PortalPayout);

export const GetStatement = z.strictObject({ id: id('payout') });

export const Statement = z
  .object({
    file_name: z.string(),
    content_type: z.string(),
    content: z.string().describe('The file: one row for each commission of the payout, and their sum.'),
  })
  .meta({ id: 'PortalStatement', description: 'The statement of a payout.' });
export type Statement = z.infer<typeof Statement>;
