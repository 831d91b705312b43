import type { RoomTables } from '../platform/room-tables.ts';

/** The program's tables, as the platform needs to know them. */
export const PROGRAM_TABLES = {
  named: {
    affiliate: 'affiliate',
    campaign: 'campaign',
    customer: 'customer',
    erasure: 'erasure',
    invitation: 'invitation',
    link: 'link',
    payout_method: 'payout_method',
    referral: 'referral',
  },
  people: {
    affiliate: { affiliate: { rows: 'id = $id', erase: 'in code', export: 'affiliate' } },
    affiliate_state_version: { affiliate: { erase: 'stays', export: 'former_states' } },
    campaign: 'The name is that of a campaign.',
    click: { customer: { rows: 'referral_id in ($referrals)', erase: 'stays', export: 'clicks' } },
    customer: { customer: { rows: 'id = $id', erase: 'in code', export: 'customer' } },
    customer_identity: { customer: { erase: 'in code', export: 'identities' } },
    erased_identity: 'Hashes, by which later facts about an erased person are recognized.',
    invitation: { affiliate: { erase: 'stays', export: 'invitations' } },
    link: { affiliate: { erase: { label: 'null' }, export: 'links' } },
    payout_method: { affiliate: { erase: 'in code', export: 'payout_methods' } },
    referral: { customer: { erase: 'stays', export: 'referrals' } },
    referral_deactivation: { customer: { rows: 'referral_id in ($referrals)', erase: 'stays' } },
    referral_source: { customer: { rows: 'referral_id in ($referrals)', erase: 'stays', export: 'referral_sources' } },
    visitor_count: { affiliate: { erase: 'stays' } },
  },
} satisfies RoomTables;
