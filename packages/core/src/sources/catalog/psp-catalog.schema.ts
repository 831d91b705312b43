import { z } from 'zod';
import { currencyCode } from '../../platform/wire/scalars.ts';

const INTERVALS = ['day', 'week', 'month', 'year', 'one_time'] as const;

export const GetPspCatalog = z.strictObject({});

export const PspCatalog = z
  .object({
    connected: z.boolean().describe('`false` if no payment provider is connected. Then the lists are empty.'),
    problem: z.string().nullable().describe('Reason why the products could not be read, in plain words; `null` if they were.'),
    is_complete: z.boolean().describe('`false` if there are more prices than the 1,000 newest ones, which are listed.'),
    products: z
      .array(z.object({ id: z.string(), name: z.string().describe('The ID if the name cannot be read.') }))
      .describe('The products, by name.'),
    prices: z
      .array(
        z.object({
          id: z.string(),
          name: z.string().nullable(),
          product_id: z.string().describe('The product that the price is for.'),
          interval: z.enum(INTERVALS),
          unit_cents: z.int().nullable().describe('Amount of a unit; `null` if it depends on the quantity or the customer.'),
          currency: currencyCode(),
          active: z.boolean(),
        }),
      )
      .describe('Their prices, newest first.'),
  })
  .meta({ id: 'PspCatalog', description: 'The products and prices at the connected payment provider.' });
export type PspCatalog = z.infer<typeof PspCatalog>;
