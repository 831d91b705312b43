import { z } from 'zod';
import { id, instant } from '../platform/wire/scalars.ts';

export const EraseCustomer = z.strictObject({ id: id('customer') });
export const EraseAffiliate = z.strictObject({ id: id('affiliate') });

const erased = {
  erased_at: instant().describe('Time of the erasure.'),
  completed_at: instant()
    .nullable()
    .describe(
      'Time at which all copies were erased, too: events, deliveries, the audit log. Null until then; it takes seconds to minutes.',
    ),
  kept: z
    .array(z.object({ kind: z.enum(['customer', 'affiliate', 'member']), id: z.string() }))
    .describe('Other records of your account with the same email or payout address. They were not erased.'),
  to_review: z
    .array(
      z.object({
        table: z.string().describe('Kind of the record with the text.').meta({ example: 'sale' }),
        id: z.string().meta({ example: 'sale_01k9v7m3q8e2t4r6w8y0a1b2c3' }),
        field: z.string().describe('Name of the field with the text.').meta({ example: 'description' }),
      }),
    )
    .describe(
      'Texts that may name the person, once the erasure is completed: with the name, which others may have, or with the address within a longer word. Decide about each of them. At most 100.',
    ),
};

export const Erased = z
  .object({ id: z.string().describe('ID of the erased record, which stays with its amounts.'), ...erased })
  .meta({ id: 'Erased', description: 'The erasure of a person’s data.' });
export type Erased = z.infer<typeof Erased>;

export const PersonalData = z
  .object({
    kind: z.enum(['customer', 'affiliate']),
    id: z.string(),
    exported_at: instant(),
    records: z
      .record(z.string(), z.array(z.record(z.string(), z.unknown())))
      .describe('All records about the person, by kind, with their stored fields.'),
  })
  .meta({ id: 'PersonalData', description: 'Everything that is stored about a person.' });
export type PersonalData = z.infer<typeof PersonalData>;
