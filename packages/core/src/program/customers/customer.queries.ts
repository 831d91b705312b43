import { target } from '../../platform/call/reference.ts';
import { wireRecord } from '../../platform/wire/wire-record.ts';
import { Customer } from './customer.entity.ts';
import { CustomerRecord } from './customer.schema.ts';

const RECORD = wireRecord(Customer, CustomerRecord);

/** Returns the wire form of a customer. */
export function customerRecord(row: Customer): CustomerRecord {
  return RECORD.of(row);
}

/** A customer as it appears in sales and referrals. */
export const CUSTOMER = target(Customer, RECORD.columns, {}, (row): CustomerRecord => RECORD.of(row));
