import type { Room } from '../platform/room.ts';
import { PROGRAM_REASONS } from './reasons.ts';

/** The declarations of the room `program`. */
export const PROGRAM = {
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
  uniqueIndexes: {
    affiliate_email: { field: 'email', message: PROGRAM_REASONS.affiliate_email_taken },
    affiliate_external_id: { field: 'external_id', message: PROGRAM_REASONS.affiliate_external_id_taken },
    campaign_external_id: { field: 'external_id', message: PROGRAM_REASONS.campaign_external_id_taken },
    link_external_id: { field: 'external_id', message: PROGRAM_REASONS.link_external_id_taken },
    referral_external_id: { field: 'external_id', message: PROGRAM_REASONS.referral_external_id_taken },
    campaign_account_id_slug_key: { field: 'slug', message: PROGRAM_REASONS.campaign_slug_taken },
    campaign_one_default: { message: PROGRAM_REASONS.default_campaign_changed_meanwhile },
    invitation_one_pending: { field: 'email', message: PROGRAM_REASONS.invitation_pending },
    link_token: { field: 'token', message: PROGRAM_REASONS.link_token_taken },
    // Two sales may bind one new customer at the same time. The transaction of the second sale is repeated and finds the customer bound.
    referral_customer: { field: 'customer_email', message: PROGRAM_REASONS.customer_of_other_referral, retry: true },
  },
  // A customer may have been merged into another one while the transaction waited for its lock. Referrals of visitors and of test mode are deleted.
  raced: [
    'attribution_claim_customer_id_fkey',
    'attribution_claim_referral_id_fkey',
    'customer_identity_customer_id_fkey',
    'lead_network_referral_id_fkey',
    'queued_lead_decision_referral_id_fkey',
    'referral_customer_id_fkey',
    'referral_deactivation_referral_id_fkey',
    'referral_source_referral_id_fkey',
    'sale_assigned_referral_id_fkey',
    'sale_customer_id_fkey',
    'sale_referral_id_fkey',
  ],
} satisfies Room;
