import { sql } from 'kysely';
import { target } from '../../platform/call/reference.ts';
import { wireRecord } from '../../platform/wire/wire-record.ts';
import { type AnnouncedRecord, CREATED } from '../../webhooks/events/announced-record.ts';
import { Customer } from './customer.entity.ts';
import { CustomerRecord, CustomerEventData } from './customer.schema.ts';

const RECORD = wireRecord(Customer, CustomerRecord);

/** Returns the wire form of a customer. */
export function customerRecord(row: Customer): CustomerRecord {
  return RECORD.of(row);
}

/** A customer as it appears in sales and referrals. */
export const CUSTOMER = target(Customer, RECORD.columns, {}, (row): CustomerRecord => RECORD.of(row));

const EVENT_DATA = wireRecord(Customer, CustomerEventData);

export const ANNOUNCED_CUSTOMER: AnnouncedRecord = {
  table: Customer.meta.tableName,
  columns: EVENT_DATA.columns,
  record: () => sql`select * from customer where id = change.id`,
  data: EVENT_DATA.json('record', {}),
  types: [['customer.created', CREATED]],
  updated: 'customer.updated',
};
