import { IndexMigration } from './online-migration.ts';

/** For the time of the payment provider's last event: one entry per event, which is cheaper than a row that each event updates. */
export class LastPspEvent extends IndexMigration {
  readonly indexes = { psp_event_received: 'on psp_event (account_id, livemode, received_at)' };
}
