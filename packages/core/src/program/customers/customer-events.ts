import { sql } from 'kysely';
import { wireRecord } from '../../platform/wire/wire-record.ts';
import { type AnnouncedRecord, CREATED } from '../../webhooks/events/announced-record.ts';
import { Customer } from './customer.entity.ts';
import { CustomerEventData } from './customer.schema.ts';

const EVENT_DATA = wireRecord(Customer, CustomerEventData);

export const ANNOUNCED_CUSTOMER: AnnouncedRecord = {
  table: Customer.meta.tableName,
  columns: EVENT_DATA.columns,
  record: () => sql`select * from customer where id = change.id`,
  data: EVENT_DATA.json('record', {}),
  types: [['customer.created', CREATED]],
  updated: 'customer.updated',
};
