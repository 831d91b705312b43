import { sql } from 'kysely';
import { wireRecord } from '../../platform/wire/wire-record.ts';
import { type AnnouncedRecord, becomes, CREATED } from '../../webhooks/events/announced-record.ts';
import { Affiliate } from './affiliate.entity.ts';
import { AffiliateEventData } from './affiliate.schema.ts';

const EVENT_DATA = wireRecord(Affiliate, AffiliateEventData);

export const ANNOUNCED_AFFILIATE: AnnouncedRecord = {
  table: Affiliate.meta.tableName,
  // `updated_at` changes with every column, so a change of payout details has an event, too.
  columns: EVENT_DATA.columns,
  record: () => sql`select * from affiliate where id = change.id`,
  data: EVENT_DATA.json('record', {}),
  types: [
    ['affiliate.created', CREATED],
    ['affiliate.approved', becomes('state', 'active')],
  ],
  updated: 'affiliate.updated',
};
