import { z } from 'zod';
import { currencyCode, signedCents } from '../../platform/wire/scalars.ts';

/** A record as people name it. */
export const NamedRecord = z
  .object({
    id: z.string(),
    name: z.string().nullable().describe('Name of the record, or of the affiliate to whom it belongs; null if it has none.'),
    amount_cents: signedCents().nullable().describe('Amount of a commission, payout or sale.'),
    currency: currencyCode().nullable(),
  })
  .meta({ id: 'NamedRecord', description: 'A record with a name that people know it by.' });
export type NamedRecord = z.infer<typeof NamedRecord>;
