import { randomBytes, randomUUID } from 'node:crypto';
import { type Services, appRouter, createAccount, createCallerFactory } from '@affiliate/core';

/** What somebody needs to try the service. */
export interface DemoAccount {
  accountId: string;
  apiKey: string;
  ownerEmail: string;
  ownerPassword: string;
}

/** Makes an account with a default campaign, unless the installation has an account already: then returns null. */
export async function createDemoAccount(services: Services): Promise<DemoAccount | null> {
  const existing = await services.database.kysely.selectFrom('account').select('id').limit(1).executeTakeFirst();
  if (existing) return null;
  const owner = { ownerEmail: 'owner@demo.example', ownerPassword: randomBytes(12).toString('base64url') };
  const { account_id, user_id, api_key } = await createAccount(services, { name: 'Demo shop', currency: 'USD', ...owner });
  const caller = createCallerFactory(appRouter)({
    services,
    requestId: randomUUID(),
    principal: { kind: 'session', user_id, account_id, role: 'owner' },
    surface: 'v1',
    reply: {},
  });
  await caller.campaigns.create({
    name: 'Friends of the shop',
    url: 'https://shop.example.com',
    reward_type: 'percent',
    commission_percent: 20,
    default: true,
  });
  return { accountId: account_id, apiKey: api_key, ...owner };
}
