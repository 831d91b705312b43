import { sql } from 'kysely';
import { jsonWord } from '../../platform/db/json-text.ts';
import { wireRecord } from '../../platform/wire/wire-record.ts';
import { type AnnouncedRecord, becomes, CREATED } from '../../webhooks/events/announced-record.ts';
import { Commission } from './commission.entity.ts';
import { PlainCommission } from './commission.schema.ts';

const EVENT_DATA = wireRecord(Commission, PlainCommission);

export const ANNOUNCED_COMMISSION: AnnouncedRecord = {
  table: Commission.meta.tableName,
  columns: [...EVENT_DATA.columns, 'payout_id'],
  record: () => sql`
    select commission.*, (select payout_id from payout_item where commission_id = commission.id) as payout_id,
      customer.email as customer_email, customer.name as customer_name, customer.first_name, customer.last_name
    from commission
    left join lateral (select customer_id from sale where id = commission.sale_id offset 0) sale on true
    left join lateral (select * from customer where id = sale.customer_id offset 0) customer on true
    where commission.id = change.id`,
  data: EVENT_DATA.json('record', { payout_id: jsonWord(sql`record.payout_id`) }),
  optional: {
    sale_customer_email: sql`record.customer_email`,
    sale_customer_name: sql`record.customer_name`,
    sale_customer_first_name: sql`record.first_name`,
    sale_customer_last_name: sql`record.last_name`,
  },
  types: [
    ['commission.created', CREATED],
    ['commission.due', becomes('state', 'due')],
    ['commission.paid', becomes('state', 'paid')],
    ['commission.voided', becomes('state', 'voided')],
  ],
  updated: 'commission.updated',
};
