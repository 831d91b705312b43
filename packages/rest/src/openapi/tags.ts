import type { oas31, ZodOpenApiPathsObject } from 'zod-openapi';
import type { Route } from '../routes.ts';

/** Tags of the operation groups, by the group's name in the router. */
const TAGS: Record<string, { name: string; description: string }> = {
  apiKeys: { name: 'API keys', description: 'API keys authenticate requests. Each has a map of permissions.' },
  apiRequests: { name: 'API requests', description: 'The requests with API keys of the last days.' },
  affiliates: { name: 'Affiliates', description: 'Partners who promote your campaigns and earn commissions.' },
  affiliateCoupons: {
    name: 'Affiliate coupons',
    description: 'One coupon code per affiliate (legacy). New integrations should use promo codes.',
  },
  promoCodes: {
    name: 'Promo codes',
    description: 'Stripe promotion codes, each assigned to one affiliate. Writes are previews unless `dry_run` is `false`.',
  },
  campaigns: { name: 'Campaigns', description: 'Promotions with the terms under which affiliates earn commissions.' },
  assets: { name: 'Assets', description: 'Files that affiliates can download in their portal.' },
  applications: { name: 'Applications', description: 'Affiliates who wait for your decision, with their answers.' },
  leads: { name: 'Leads', description: 'Referrals whose visitor signed up and has not paid.' },
  links: { name: 'Links', description: 'Tracked links that affiliates share.' },
  referrals: { name: 'Referrals', description: 'Visitors referred by affiliates, tracked until and after conversion.' },
  customers: { name: 'Customers', description: 'People who were referred or who bought, with their referral and affiliate.' },
  sales: { name: 'Sales', description: 'Charges that customers paid, whether or not they earned a commission.' },
  refunds: { name: 'Refunds', description: 'Refunds and lost disputes of sales, whether you or Stripe reported them.' },
  commissions: {
    name: 'Commissions',
    description: 'Amounts that affiliates earn from sales. A commission is pending, due, paid, or voided.',
  },
  tiers: {
    name: 'Tiers',
    description: 'Levels that affiliates reach, e.g. in the month before a sale, so that reward rules pay them more.',
  },
  rewardRules: {
    name: 'Reward rules',
    description:
      'Rules by which sales earn something else than the campaign’s base reward, e.g. by product, affiliate, or place of the sale.',
  },
  payouts: { name: 'Payouts', description: 'Commissions of one affiliate in one currency that are paid together.' },
  payoutAttempts: {
    name: 'Payout attempts',
    description: 'Tries to pay payouts: what was sent by which method, and how it ended.',
  },
  payoutBatches: {
    name: 'Payout batches',
    description: 'Payments that the service sends together: prepare, approve, send, and withdraw.',
  },
  payoutScreenings: {
    name: 'Payout screenings',
    description: 'Comparisons of affiliates with lists of people and companies that nobody may pay.',
  },
  payoutMethods: { name: 'Payout methods', description: 'The ways in which affiliates are paid. Addresses are shown in part.' },
  payoutExports: {
    name: 'Payout exports',
    description: 'Files for paying many payouts outside the service, e.g. with PayPal or Wise.',
  },
  payoutRuns: { name: 'Payout runs', description: 'Batches of payouts: create, execute, remediate, and reconcile.' },
  invitations: { name: 'Invitations', description: 'Invitations to join the account as a member or an affiliate.' },
  analytics: {
    name: 'Analytics',
    description: 'Clicks, conversions, sales and earnings for a range of days, grouped by one dimension.',
  },
  overview: { name: 'Overview', description: 'Amounts owed, records to review, daily figures.' },
  search: { name: 'Search', description: 'Finds records of every kind by an ID, a name, an email address, or a code.' },
  tracking: {
    name: 'Tracking',
    description: 'Endpoints that record visits, leads, sales, and refunds. They are outside `/api/v1`.',
  },
  facts: {
    name: 'Facts',
    description: 'Facts about payments, customers and codes that your own server signs.',
  },
  me: { name: 'Me', description: 'The API key or the signed-in person that sends a request.' },
  account: { name: 'Account', description: 'Name, currency, time zone and language of the account.' },
  members: { name: 'Members', description: 'People with access to the account, and their roles.' },
  connectors: { name: 'Connectors', description: 'Access of AI assistants to the account, each with its own permissions.' },
  imports: { name: 'Imports', description: 'Moves of programs from other tools.' },
  shadows: {
    name: 'Shadows',
    description: 'The time in which a former tool still decides and pays, and what this service would have paid.',
  },
  payoutRails: { name: 'Payout rails', description: 'Accounts at services that pay affiliates.' },
  connections: { name: 'Connections', description: 'Connections to accounts at payment providers.' },
  pspConnection: {
    name: 'PSP connection',
    description: 'The connection of the account to Stripe, and the events that arrive by it.',
  },
  emailTexts: { name: 'Email texts', description: 'Texts of the emails that affiliates get, in each language.' },
  portalSettings: {
    name: 'Portal settings',
    description: 'Settings of sign-up pages and of the portal: brand, approval, questions, terms, host name.',
  },
  site: { name: 'Site', description: 'Checks whether tracking works on your site.' },
  clicks: { name: 'Clicks', description: 'Clicks and visits as they arrive.' },
  testMode: { name: 'Test mode', description: 'The clock of test mode, and its data.' },
  auditLog: { name: 'Audit log', description: 'Changes, with the person or key that made them, and their time.' },
  webhookEndpoints: { name: 'Webhook endpoints', description: 'URLs that receive signed events.' },
  webhookDeliveries: { name: 'Webhook deliveries', description: 'Deliveries of events to endpoints, with every attempt.' },
  events: {
    name: 'Events',
    description: 'Changes of records, kept for 90 days, which the service posts to your webhook endpoints.',
  },
};

/** Returns the tag of a procedure's group in the router. */
export function tagOf(procedure: string): string {
  const group = procedure.split('.')[0]!;
  return TAGS[group]?.name ?? group;
}

/** Returns the tags that are used, in the order of the table above. */
export function tagsOf(routes: readonly Route[], others: ZodOpenApiPathsObject): oas31.TagObject[] {
  const used = new Set(routes.map(({ procedure }) => tagOf(procedure)));
  for (const item of Object.values(others)) for (const tag of item.post?.tags ?? []) used.add(tag);
  const described = Object.values(TAGS).filter(({ name }) => used.delete(name));
  return [...described, ...[...used].map((name) => ({ name }))];
}
