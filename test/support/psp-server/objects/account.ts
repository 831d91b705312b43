import type { Stripe } from 'stripe';
import { NO_ADDRESS } from './customer.ts';
import { newId, nowSeconds } from './ids.ts';

const NOTHING_REQUIRED: Stripe.Account.Requirements & Stripe.Account.FutureRequirements = {
  alternatives: [],
  current_deadline: null,
  currently_due: [],
  disabled_reason: null,
  errors: [],
  eventually_due: [],
  past_due: [],
  pending_verification: [],
};

export function account(fields: Partial<Stripe.Account> = {}): Stripe.Account {
  const id = fields.id ?? newId('acct');
  return {
    id,
    object: 'account',
    business_profile: {
      annual_revenue: null,
      estimated_worker_count: null,
      mcc: null,
      minority_owned_business_designation: null,
      name: null,
      product_description: null,
      specified_commercial_transactions_act_url: null,
      support_address: NO_ADDRESS,
      support_email: null,
      support_phone: null,
      support_url: null,
      url: null,
    },
    business_type: null,
    capabilities: { card_payments: 'active', transfers: 'active' },
    charges_enabled: true,
    controller: { type: 'account' },
    country: 'US',
    created: nowSeconds(),
    default_currency: 'usd',
    details_submitted: true,
    email: 'owner@merchant.example',
    external_accounts: { object: 'list', data: [], has_more: false, url: `/v1/accounts/${id}/external_accounts` },
    future_requirements: NOTHING_REQUIRED,
    metadata: {},
    payouts_enabled: true,
    requirements: NOTHING_REQUIRED,
    settings: null,
    tos_acceptance: { date: null, ip: null, user_agent: null },
    type: 'standard',
    ...fields,
  };
}
