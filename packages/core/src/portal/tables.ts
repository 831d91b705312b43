import type { RoomTables } from '../platform/room-tables.ts';

/** The portal's tables, as the platform needs to know them. */
export const PORTAL_TABLES = {
  named: { application: 'application', asset: 'asset' },
  people: {
    affiliate_application: { affiliate: { erase: { answers: "'[]'", link_code: 'null', note: 'null' }, export: 'application' } },
    affiliate_notice: { affiliate: { erase: 'stays', export: 'notices' } },
    application: { affiliate: { rows: 'account_id = $account and lower(email) = any ($addresses)', erase: 'delete' } },
    asset: 'The name is that of a file.',
    email_change: { affiliate: { erase: 'delete', export: 'changes_of_address' } },
    portal_access: { affiliate: { erase: 'delete', export: 'portal_accesses' } },
    terms_acceptance: { affiliate: { erase: { client_address: "''" }, export: 'accepted_terms' } },
  },
} satisfies RoomTables;
