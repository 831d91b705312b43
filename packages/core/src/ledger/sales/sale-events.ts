import { sql } from 'kysely';
import { jsonLiteral } from '../../platform/db/json-text.ts';
import { wireRecord } from '../../platform/wire/wire-record.ts';
import { type AnnouncedRecord, CREATED } from '../../webhooks/events/announced-record.ts';
import { SALE_AMOUNT_CENTS } from './sale-amount.ts';
import { SaleEventData } from './sale-list.schema.ts';
import { IS_LIVE_SALE } from './sale-mode.ts';
import { Sale } from './sale.entity.ts';
import { NAME_COLUMNS, WIRE_NAMES_JSON } from './wire-names.ts';

const EVENT_DATA = wireRecord(Sale, SaleEventData);
/** Responses show the mode of every sale (`isLive`). */
const PLAIN_COLUMNS = EVENT_DATA.qualified.filter((column) => column !== 'sale.livemode');

/** Refunds of the sale have grown, or the sale is recorded with refunds. */
const REFUNDED = sql<boolean>`(record.refund_amount_cents > case when ${CREATED} then 0
  else coalesce((change.previous ->> 'refund_amount_cents')::bigint, record.refund_amount_cents) end)`;

export const ANNOUNCED_SALE: AnnouncedRecord = {
  table: Sale.meta.tableName,
  // `sale_amount_cents` depends on the tax of refunds, too.
  columns: [...EVENT_DATA.columns, 'credit_note_refund_cents', 'credit_note_tax_cents', ...NAME_COLUMNS],
  record: () => sql`
    select ${sql.join(PLAIN_COLUMNS.map((column) => sql.ref(column)))}, sale.account_id, sale.names, sale.name_of_group,
      ${IS_LIVE_SALE} as livemode, ${SALE_AMOUNT_CENTS} as sale_amount_cents
    from sale where sale.id = change.id`,
  data: EVENT_DATA.json('record', { ...WIRE_NAMES_JSON, sale_amount_cents: jsonLiteral(sql`record.sale_amount_cents`) }),
  types: [
    ['sale.recorded', CREATED],
    ['sale.refunded', REFUNDED],
  ],
  updated: 'sale.updated',
};
