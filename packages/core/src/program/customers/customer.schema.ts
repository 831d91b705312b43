import { z } from 'zod';
import { merchantDataInput, metadataInput, externalReference, merchantData } from '../../platform/wire/merchant-data.ts';
import { email, id, instant, livemode, nameText } from '../../platform/wire/scalars.ts';
import { IDENTITY_KINDS, IDENTITY_SOURCES } from '../customer-identities/customer-identity.ts';

const customerName = () => nameText(200).describe('Full name.').meta({ example: 'Grace Hopper' });

export const CustomerRecord = z
  .object({
    id: id('customer'),
    email: z.string().nullable(),
    name: z.string().nullable(),
    first_name: z.string().nullable(),
    last_name: z.string().nullable(),
    psp_customer_id: z.string().nullable(),
    ...merchantData,
    erased_at: instant().nullable().describe('Time at which the personal data were erased; `null` if they were not.'),
    trial_until: instant().nullable().describe('End of the customer’s trial of a subscription; `null` if there is none.'),
    livemode: livemode(),
    created_at: instant(),
    updated_at: instant(),
  })
  .meta({
    id: 'Customer',
    description:
      'A paying customer. Email address and name are present if a payment provider or the conversion flow provided them.',
  });
export const UpdateCustomer = z.strictObject({
  id: id('customer'),
  name: customerName().optional(),
  ...merchantDataInput,
});
export type UpdateCustomer = z.infer<typeof UpdateCustomer>;

export const UpsertCustomer = z.strictObject({
  id: externalReference(),
  email: email().optional().describe('Email address. The customer is also known by it.'),
  name: customerName().optional(),
  metadata: metadataInput(),
});
export type UpsertCustomer = z.infer<typeof UpsertCustomer>;

export const MergeCustomers = z.strictObject({
  id: id('customer'),
  customer_id: id('customer').describe('Customer that is merged into the other one and then no longer exists.'),
});
export type MergeCustomers = z.infer<typeof MergeCustomers>;

export const CustomerIdentities = z.object({
  data: z.array(
    z.object({
      kind: z.enum(IDENTITY_KINDS),
      value: z.string().describe('The address in lower case, or the ID.'),
      is_verified: z
        .boolean()
        .describe('`true` if you or a payment provider vouch for it. Anyone can enter an address on a page.'),
      source: z.enum(IDENTITY_SOURCES).describe('Source that stated it first.'),
      created_at: instant(),
    }),
  ),
});
export type CustomerIdentities = z.infer<typeof CustomerIdentities>;

export type CustomerRecord = z.infer<typeof CustomerRecord>;

export const CustomerEventData = z.object(CustomerRecord.shape).meta({ id: 'CustomerEventData' });

/** `data` of `customer.merged`: the customer that no longer exists. */
export const MergedCustomerEventData = z
  .object({ ...CustomerRecord.shape, merged_into: id('customer').describe('Customer that has everything of this one.') })
  .meta({ id: 'MergedCustomerEventData' });
