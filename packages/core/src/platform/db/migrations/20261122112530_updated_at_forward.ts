import { OnlineMigration } from './online-migration.ts';

/** The tables whose records callers poll by `updated_since`, and those whose changes go with them. */
const TABLES = ['affiliate', 'campaign', 'commission', 'customer', 'payout', 'payout_export', 'payout_run', 'referral', 'sale'];

/** `updated_at` never runs backwards, whatever the clocks of the processes say (docs/domain-rules.md#time). */
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
