import { z } from 'zod';
import { id, instant } from '../../platform/wire/scalars.ts';

export const CustomerRecord = z
  .object({
    id: id('customer'),
    email: z.string().nullable(),
    name: z.string().nullable(),
    first_name: z.string().nullable(),
    last_name: z.string().nullable(),
    psp_customer_id: z.string().nullable(),
    created_at: instant(),
    updated_at: instant(),
  })
  .meta({
    id: 'Customer',
    description: 'Someone who pays. E-mail address and name are there when the payment provider or the conversion flow told us.',
  });
export type CustomerRecord = z.infer<typeof CustomerRecord>;
