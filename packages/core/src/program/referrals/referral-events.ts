import { sql } from 'kysely';
import { jsonString } from '../../platform/db/json-text.ts';
import { wireRecord } from '../../platform/wire/wire-record.ts';
import { type AnnouncedRecord, becomes, CREATED } from '../../webhooks/events/announced-record.ts';
import { Referral } from './referral.entity.ts';
import { ReferralEventData } from './referral.schema.ts';

const EVENT_DATA = wireRecord(Referral, ReferralEventData);

export const ANNOUNCED_REFERRAL: AnnouncedRecord = {
  table: Referral.meta.tableName,
  columns: EVENT_DATA.columns,
  record: () => sql`
    select referral.*, (select psp_customer_id from customer where customer.id = referral.customer_id) as psp_customer_id
    from referral where id = change.id`,
  data: EVENT_DATA.json('record', { psp_customer_id: jsonString(sql`record.psp_customer_id`) }),
  types: [
    ['referral.created', CREATED],
    ['referral.converted', becomes('conversion_state', 'conversion')],
  ],
  updated: 'referral.updated',
  follows: [
    { table: 'customer', columns: ['psp_customer_id'], ids: sql`select id from referral where customer_id = followed.id` },
  ],
};
