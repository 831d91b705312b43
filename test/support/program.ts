import type { Fields } from './http.ts';
import type { Outputs, TestAccount } from './service.ts';

type Campaign = Outputs['campaigns']['create'];
type Affiliate = Outputs['affiliates']['create'];
type Link = Outputs['links']['create'];
type Referral = Outputs['referrals']['create'];
type RecordedSale = Outputs['tracking']['recordSale'];

export interface Program {
  campaign: Campaign;
  affiliate: Affiliate;
  link: Link;
}

let counter = 0;
/** Returns a different text at every call, for names, addresses and external ids. */
export function unique(prefix: string): string {
  counter += 1;
  return `${prefix}-${counter}`;
}

/** Sends a POST request. Throws unless the response has the expected status. */
export async function must<Body>(account: Pick<TestAccount, 'api'>, path: string, body: Fields, status = 201): Promise<Body> {
  const reply = await account.api.post(path, body);
  if (reply.status !== status) throw new Error(`POST ${path} answered ${reply.status}: ${reply.text}`);
  return reply.body as Body;
}

/** Creates a campaign that pays 10 % after 30 days, with an active affiliate and a link. */
export async function program(account: Pick<TestAccount, 'api'>, terms: Fields = {}, person: Fields = {}): Promise<Program> {
  const campaign = await must<Campaign>(account, '/campaigns', {
    name: 'Friends of the shop',
    url: 'https://shop.example.com/',
    reward_type: 'percent',
    commission_percent: 10,
    ...terms,
  });
  const affiliate = await must<Affiliate>(account, '/affiliates', {
    email: `${unique('ada')}@example.com`,
    campaign_id: campaign.id,
    first_name: 'Ada',
    ...person,
  });
  const link = await must<Link>(account, '/links', {
    affiliate_id: affiliate.id,
    campaign_id: campaign.id,
    url: 'https://shop.example.com/start',
  });
  return { campaign, affiliate, link };
}

export function refer(account: TestAccount, { link }: Program, more: Fields = {}): Promise<Referral> {
  return must<Referral>(account, '/referrals', { link_id: link.id, ...more });
}

/** Creates a sale, by default of 100.00 USD to a new customer. */
export function sell(account: TestAccount, sale: Fields): Promise<RecordedSale> {
  return must<RecordedSale>(account, '/track/sales', {
    external_id: unique('order'),
    amount_cents: 10_000,
    currency: 'USD',
    ...sale,
  });
}
