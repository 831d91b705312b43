import { OnlineMigration } from './online-migration.ts';

/** Adds the time until which payouts are held after an affiliate changed the payout details. */
export class PayoutDetails extends OnlineMigration {
  readonly statements = [
    'alter table affiliate add column payouts_held_until timestamptz(3)',
    'alter table account add column payout_details_hold_days integer not null default 3',
  ];
}
