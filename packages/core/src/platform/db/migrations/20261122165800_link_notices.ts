import { OnlineMigration } from './online-migration.ts';

/** Columns that determine where a link leads, and whether it earns commissions. */
const COLUMNS = {
  link: ['token', 'url', 'archived_at', 'affiliate_id', 'campaign_id'],
  campaign: ['url', 'archived_at', 'parameter_type', 'attribution', 'days_before_referrals_expire'],
  affiliate: ['state', 'archived_at'],
};

/**
 * When a change to a link, campaign or affiliate is committed, sends the account's id to all processes, so that they drop the account's
 * cached links.
 */
export class LinkNotices extends OnlineMigration {
  override readonly statements = [
    `create function notify_of_links() returns trigger language plpgsql as $$
     begin
       perform pg_notify('affiliate_links', old.account_id);
       return null;
     end $$`,
    ...Object.entries(COLUMNS).flatMap(([table, columns]) => [
      `create trigger ${table}_links_changed after update on ${table} for each row
        when ((${columns.map((name) => `old.${name}`).join(', ')}) is distinct from (${columns.map((name) => `new.${name}`).join(', ')}))
        execute function notify_of_links()`,
      `create trigger ${table}_links_deleted after delete on ${table} for each row execute function notify_of_links()`,
    ]),
  ];
}
