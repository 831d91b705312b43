import { IndexMigration } from './online-migration.ts';

/** Adds indexes for the list of customers, and for searches by the beginning of an email address or a name. */
export class Search extends IndexMigration {
  readonly indexes = {
    customer_list: 'on customer (account_id, id)',
    customer_search_email: 'on customer (account_id, lower(email) text_pattern_ops) where email is not null',
    affiliate_search_email: 'on affiliate (account_id, lower(email) text_pattern_ops)',
    affiliate_search_name: `on affiliate (account_id, lower(first_name || ' ' || last_name) text_pattern_ops)`,
    affiliate_search_last_name: 'on affiliate (account_id, lower(last_name) text_pattern_ops)',
  };
}
