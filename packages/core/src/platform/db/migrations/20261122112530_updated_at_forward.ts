import { OnlineMigration } from './online-migration.ts';

/** Tables whose records are polled with `updated_since`, or change together with polled records. */
const TABLES = ['affiliate', 'campaign', 'commission', 'customer', 'payout', 'payout_export', 'payout_run', 'referral', 'sale'];

/** Keeps `updated_at` from running backwards when the clocks of processes differ (docs/domain-rules.md#time). */
export class UpdatedAtForward extends OnlineMigration {
  override readonly statements = [
    `create function keep_updated_at() returns trigger language plpgsql as $$
     begin
       new.updated_at := old.updated_at;
       return new;
     end $$`,
    ...TABLES.map(
      (table) => `create trigger ${table}_updated_at before update on ${table} for each row
        when (new.updated_at < old.updated_at) execute function keep_updated_at()`,
    ),
  ];
}
