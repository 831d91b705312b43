import { readFile, writeFile } from 'node:fs/promises';
import {
  type Services,
  appRouter,
  createCallerFactory,
  createSecretBox,
  issueApiKey,
  openDatabase,
  parseAllowedNetworks,
  systemClock,
  createPayoutMethods,
  createSources,
} from '@affiliate/core';
import { createHostResolver } from '@affiliate/worker';
import { startInstallation } from '../faults/storm/installation.ts';
import { Api } from '../support/http.ts';
import { testLog } from '../support/log.ts';
import { TestMailbox } from '../support/mailbox.ts';
import { SECRET_KEY, credentials, startService } from '../support/service.ts';
import { DUE_AT_ONCE } from './program.ts';

const createCaller = createCallerFactory(appRouter);
/** Matches statements that change the records of a history: sales, commissions, payouts, events and idempotency keys. */
const CHANGES = /\b(?:insert into|update|delete from) "?(?:sale|commission|payout\w*|event|idempotency_key)"?\s/;

/** A service whose accounts have no members, because hashing passwords takes time. */
export interface Books {
  databaseUrl: string;
  newMerchant(): Promise<Merchant>;
  /** Number of processes that have been killed so far. */
  deaths(): Promise<number>;
  stop(): Promise<void>;
}

export interface Merchant {
  id: string;
  /** Returns a client with a key that has all permissions. */
  api(): Api;
  /** Creates a campaign whose commissions are due at once, with an affiliate and a referral. */
  newAffiliate(): Promise<{ affiliate: string; referral: string }>;
}

/** Starts the service in this process. Each of its payout runs pays one payout per batch, two batches at a time. */
export async function startBooks(): Promise<Books> {
  const service = await startService({ payoutRunBatch: 1 });
  return {
    databaseUrl: service.databaseUrl,
    newMerchant: () => newMerchant(service.services, () => service.url),
    deaths: async () => 0,
    stop: () => service.stop(),
  };
}

/**
 * Starts two `rest` processes and a worker that are killed at random statements and restarted. Requests go to the two in turn.
 *
 * @param perDeath of the statements that change data, one in this many kills its process
 */
export async function startMortalBooks(perDeath: number): Promise<Books> {
  const installation = await startInstallation({ rests: 2, workers: 1, kills: true, killChance: 1 / perDeath });
  const database = await openDatabase({ url: installation.databaseUrl, poolSize: 4 });
  const services: Services = {
    database,
    clock: systemClock,
    log: testLog(),
    secrets: createSecretBox(SECRET_KEY),
    sources: createSources({ apiBase: 'http://127.0.0.1:9' }),
    payoutMethods: createPayoutMethods(),
    jobs: { send: () => undefined },
    webhooks: { resolve: createHostResolver(), allowed: parseAllowedNetworks('127.0.0.0/8') },
    mailer: new TestMailbox(),
    readPage: () => Promise.reject(new Error('These tests must not read web pages.')),
    readDocument: async () => null,
    resolveTexts: async () => [],
    publicUrl: installation.rest.url,
  };
  await writeFile(installation.killPoint, CHANGES.source);
  let turn = 0;
  return {
    databaseUrl: installation.databaseUrl,
    newMerchant: () => newMerchant(services, () => installation.rests[(turn += 1) % installation.rests.length]!.url),
    // The file does not exist before the first kill.
    deaths: async () => (await readFile(`${installation.killPoint}.deaths`, 'utf8').catch(() => '')).split('\n').length - 1,
    stop: async () => {
      await database.close();
      await installation[Symbol.asyncDispose]();
    },
  };
}

async function newMerchant(services: Services, url: () => string): Promise<Merchant> {
  const id = `acct_${crypto.randomUUID()}`;
  const at = services.clock.now().toISOString();
  const row = { id, name: 'Shop', slug: id, currency: 'USD', code_before_link: false, created_at: at, updated_at: at };
  await services.database.kysely.insertInto('account').values(row).execute();
  const { api_key } = await issueApiKey(services, { accountId: id, name: 'Test', permissions: { all: true } });
  const call = createCaller({
    services,
    requestId: 'test',
    principal: { kind: 'api_key', id: 'key_test', account_id: id, permissions: { all: true } },
    surface: 'v1',
    reply: {},
  });
  let counter = 0;
  return {
    id,
    api: () => new Api(url(), credentials(id, api_key)),
    newAffiliate: async () => {
      counter += 1;
      const nth = counter;
      const shop = 'https://shop.example.com/';
      const campaign = await call.campaigns.create({
        name: `Friends ${nth}`,
        url: shop,
        reward_type: 'percent',
        commission_percent: 10,
        ...DUE_AT_ONCE,
      });
      const affiliate = await call.affiliates.create({
        email: `ada-${nth}@example.com`,
        campaign_id: campaign.id,
        walleta_email: 'a@pay.example',
      });
      const link = await call.links.create({ affiliate_id: affiliate.id, campaign_id: campaign.id, url: shop });
      const referral = await call.referrals.create({ link_id: link.id });
      return { affiliate: affiliate.id, referral: referral.id };
    },
  };
}
