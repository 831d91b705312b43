import { IndexMigration } from './online-migration.ts';

/**
 * Adds an index that finds the time of the payment provider's last event. An index entry per event is cheaper than updating a row
 * with each event.
 */
export class LastPspEvent extends IndexMigration {
  readonly indexes = { psp_event_received: 'on psp_event (account_id, livemode, received_at)' };
}
