import { params, texts } from '../catalogue.ts';

export const t = texts('onboarding', {
  affiliate: 'Add your first affiliate',
  affiliateHint: 'Add somebody by hand, invite them by email, or let them apply.',
  campaign: 'Create a campaign',
  campaignHint: 'It sets the landing page and the commission.',
  hide: 'Hide',
  progress: params('{done} of {all} done'),
  sale: 'See your first sale',
  saleHint: 'Buy something through the link of an affiliate, e.g. in the test mode of Stripe.',
  stepDone: params('{step}: done'),
  stripe: 'Connect Stripe, or report sales with the API',
  stripeHint: 'Sales, refunds and promo codes are then imported automatically.',
  title: 'Get started',
  tracking: 'Install tracking on your site',
  trackingHint: 'Done when the first visitor has followed the link of an affiliate.',
  webhook: 'Add a webhook endpoint',
  webhookHint: 'Webhooks tell your systems what happens in the program.',
});
