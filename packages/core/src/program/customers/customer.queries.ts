import { target } from '../../platform/call/reference.ts';
import { Customer } from './customer.entity.ts';
import type { CustomerRecord } from './customer.schema.ts';

export const CUSTOMER_COLUMNS = [
  'id',
  'email',
  'name',
  'first_name',
  'last_name',
  'psp_customer_id',
  'created_at',
  'updated_at',
] as const;

/** A customer as it appears in sales and referrals. */
export const CUSTOMER = target(Customer, CUSTOMER_COLUMNS, {}, (customer): CustomerRecord => customer);
