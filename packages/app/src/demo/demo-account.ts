import { randomBytes, randomUUID } from 'node:crypto';
import { type Services, appRouter, createAccount, createCallerFactory } from '@affiliate/core';

/** Ids and credentials of the demo account. */
export interface DemoAccount {
  accountId: string;
  apiKey: string;
  ownerEmail: string;
  ownerPassword: string;
  /** Tracking URL of the affiliate's link. */
  trackingUrl: string;
}

/** Creates an account with a default campaign and an affiliate with a link. Returns null if the installation already has an account. */
export async function createDemoAccount(services: Services): Promise<DemoAccount | null> {
  const existing = await services.database.kysely.selectFrom('account').select('id').limit(1).executeTakeFirst();
  if (existing) return null;
  const owner = { ownerEmail: 'owner@demo.example', ownerPassword: randomBytes(12).toString('base64url') };
  const { account_id, api_key } = await createAccount(services, {
    name: 'Demo shop',
    currency: 'USD',
    isExample: true,
    ...owner,
  });
  const caller = createCallerFactory(appRouter)({
    services,
    requestId: randomUUID(),
    principal: { kind: 'system', account_id },
    surface: 'v1',
    reply: {},
  });
  const url = 'https://shop.example.com';
  const campaign = await caller.campaigns.create({
    name: 'Friends of the shop',
    url,
    reward_type: 'percent',
    commission_percent: 20,
    default: true,
  });
  const affiliate = await caller.affiliates.create({ email: 'ada@demo.example', first_name: 'Ada', last_name: 'Lovelace' });
  const link = await caller.links.create({ affiliate_id: affiliate.id, campaign_id: campaign.id, url });
  return { accountId: account_id, apiKey: api_key, trackingUrl: link.tracking_url, ...owner };
}
