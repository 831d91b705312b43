import { randomBytes } from 'node:crypto';
import { type Services, createAccount } from '@affiliate/core';
import { DemoLife, servicesAt } from './live.ts';
import { addressOf } from './people.ts';
import { planLife } from './plan-life.ts';

/** Ids and credentials of the demo account. */
export interface DemoAccount {
  accountId: string;
  apiKey: string;
  ownerEmail: string;
  ownerPassword: string;
  /** Tracking URL of the affiliate's link. */
  trackingUrl: string;
}

const SEED = 1_815;

/**
 * Creates an account with the life of 90 days: clicks, sales, refunds, payouts, a flagged commission, applications, and a webhook endpoint that
 * fails. Everything except ids, secrets and the delays of webhooks is the same for the same time. Returns null if the installation already has an
 * account. Call it before the workers start, because a sweep at the real time would overtake the life of the past.
 */
export async function createDemoAccount(services: Services): Promise<DemoAccount | null> {
  const existing = await services.database.kysely.selectFrom('account').select('id').limit(1).executeTakeFirst();
  if (existing) return null;
  const now = services.clock.now().getTime();
  const days = planLife(now, SEED);
  const owner = { ownerEmail: addressOf('owner'), ownerPassword: randomBytes(12).toString('base64url') };
  const { account_id, api_key } = await createAccount(servicesAt(services, days[0]!.midnight), {
    name: 'Demo shop',
    currency: 'USD',
    isExample: true,
    ...owner,
  });
  const trackingUrl = await new DemoLife(services, account_id).live(days, now);
  return { accountId: account_id, apiKey: api_key, trackingUrl, ...owner };
}
