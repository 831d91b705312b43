import { z } from 'zod';
import type { CustomerChanged } from '../../provider-event.ts';
import { text, email, name } from '../provider-object.ts';

/** `customer.created`, `customer.updated` */
export const customerFact = z.object({ id: name, email: email, name: text }).transform((customer): CustomerChanged => ({
  kind: 'customer_changed',
  customer: { customerId: customer.id, email: customer.email, name: customer.name },
}));
