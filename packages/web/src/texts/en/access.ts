import { params, texts } from '../catalogue.ts';

/** Texts about the access of an assistant: what it may read, change and pay. */
export const t = texts('access', {
  access: 'Access of the assistant',
  addCurrency: 'Add a currency',
  affiliates: 'Affiliates and applications',
  allowPromoCodeManagement: 'Allow promo code management',
  amountPerDay: 'Amount per day',
  campaigns: 'Campaigns',
  change: 'Change',
  commissions: 'Commissions',
  connectors: 'Audit log',
  currency: 'Currency',
  enterAmount: params('Enter an amount in {currency}, e.g. {value}.'),
  invitations: 'Invitations',
  limits: 'Daily limit',
  limitsHint:
    'The most that the assistant may mark as paid within 24 hours. It may pay nothing in other currencies. No action transfers money.',
  links: 'Links',
  members: 'Team members',
  noLimit: 'No limit',
  payout_exports: 'Payout exports',
  payout_runs: 'Payout runs',
  payouts: 'Payouts',
  promoCodesHint: 'The assistant can also list, import, create, and stop promo codes.',
  read: 'Read',
  records: 'Records',
  referrals: 'Referrals and customers',
  removeCurrency: 'Remove the last currency',
  sales: 'Sales and refunds',
  webhooks: 'Webhooks',
});
