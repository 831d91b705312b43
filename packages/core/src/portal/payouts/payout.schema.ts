import { z } from 'zod';
import { PlainPayout } from '../../ledger/payouts/payout.schema.ts';
import { LANGUAGES } from '../../platform/texts/texts.ts';
import { pageInput, paginated } from '../../platform/wire/pagination.ts';
import { id, textInEachLanguage } from '../../platform/wire/scalars.ts';

/** The columns of a payout that its affiliate sees. */
export const StoredPayout = PlainPayout.pick({
  id: true,
  state: true,
  amount_cents: true,
  currency: true,
  commissions_count: true,
  paid_at: true,
  returned_at: true,
  return_reason: true,
  created_at: true,
});

export type StoredPayout = z.infer<typeof StoredPayout>;

export const PortalPayout = StoredPayout.extend({
  payment_in: textInEachLanguage()
    .nullable()
    .describe(
      'How the payout is or was paid, in words, in each language: method, address, day and reference. Null for an open payout.',
    ),
}).meta({ id: 'PortalPayout', description: 'A payout, as its affiliate sees it.' });
export type PortalPayout = z.infer<typeof PortalPayout>;

export const ListPortalPayouts = z.strictObject(pageInput);
export const PortalPayoutPage = paginated(PortalPayout);

export const GetStatement = z.strictObject({
  id: id('payout'),
  format: z.enum(['csv', 'pdf']).default('csv'),
  language: z.enum(LANGUAGES).default('en').describe('Language of the statement.'),
});

export const Statement = z
  .object({
    file_name: z.string(),
    download_url: z
      .url()
      .describe(
        'Address of the file, which has one row for each commission of the payout. It needs no credentials, accepts ranges, and works for ten minutes.',
      ),
  })
  .meta({ id: 'PortalStatement', description: 'The statement of a payout.' });
export type Statement = z.infer<typeof Statement>;
