import { openDatabase, openVisits } from '@affiliate/core';
import { createApp, listen } from '@affiliate/rest';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { send } from '../support/http.ts';
import { onServer } from '../support/postgres.ts';
import { useService, useAccount, useProgram } from '../support/suite.ts';

const service = useService();
const account = useAccount(service);
const ada = useProgram(account);
/** Serves the same database with a separate cache, like another process of the service. */
let other: { url: string; close: () => Promise<void> };
/** Database look-ups of links, made by either of the two servers. */
const asked: string[] = [];

beforeAll(async () => {
  // oxlint-disable-next-line typescript/unbound-method -- called with the client below
  const query = Client.prototype.query as (...values: unknown[]) => unknown;
  vi.spyOn(Client.prototype, 'query').mockImplementation(function (this: Client, ...values: unknown[]) {
    const [config] = values as [string | { text: string }];
    const text = typeof config === 'string' ? config : config.text;
    if (text.includes('from link join campaign')) asked.push(text);
    return query.apply(this, values);
  });
  const database = await openDatabase({ url: service.databaseUrl });
  const services = { ...service.services, database };
  const visits = await openVisits(services, service.databaseUrl);
  const server = await listen(createApp(services), { host: '127.0.0.1', port: 0 });
  other = {
    url: server.url,
    close: async () => {
      await server.close();
      await visits.close();
      await database.close();
    },
  };
});
afterAll(async () => {
  vi.restoreAllMocks();
  await other.close();
});

async function follow(method: 'GET' | 'HEAD'): Promise<URL> {
  const reply = await send(`${other.url}/t/${ada.link.token}`, method, { query: `account_id=${account.id}` });
  expect(reply.status).toBe(302);
  return new URL(reply.headers.get('location')!);
}

const pathOf = async (method: 'GET' | 'HEAD') => (await follow(method)).pathname;

describe('a process with a link in its cache', () => {
  it('does not look up the link again', async () => {
    asked.length = 0;
    await follow('HEAD');
    expect(asked).toHaveLength(1);
    asked.length = 0;
    await follow('HEAD');
    expect(asked).toEqual([]);
  });

  it.each([
    ['the link', () => account.api.patch(`/links/${ada.link.id}`, { url: 'https://shop.example.com/new' }), '/new'],
    ['the link by archiving it', () => account.api.delete(`/links/${ada.link.id}`), '/'],
    ['the affiliate', () => account.api.patch(`/affiliates/${ada.affiliate.id}`, { state: 'disabled' }), '/'],
    ['the campaign', () => account.api.delete(`/campaigns/${ada.campaign.id}`), '/'],
  ])('applies a change of %s in another process, immediately for a click', async (_what, change, path) => {
    await follow('GET');
    expect((await change()).status).toBeLessThan(300);
    const landing = await follow('GET');
    expect(landing.pathname).toBe(path);
    expect(landing.searchParams.has('referral')).toBe(path === '/new');
    await expect.poll(() => pathOf('HEAD')).toBe(path);
  });

  it('records the first click after the affiliate is active again, even if the notification has not arrived', async () => {
    await account.api.patch(`/affiliates/${ada.affiliate.id}`, { state: 'disabled' });
    await expect.poll(() => pathOf('HEAD')).toBe('/');
    asked.length = 0;
    await follow('HEAD');
    expect(asked).toHaveLength(1);
    await account.api.patch(`/affiliates/${ada.affiliate.id}`, { state: 'active' });
    expect((await follow('GET')).searchParams.has('referral')).toBe(true);
  });

  it('queries the database while it may miss notifications of changes', async () => {
    await follow('GET');
    await onServer(
      service.databaseUrl,
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = 'affiliate notices' and datname = current_database()`,
    );
    await account.api.patch(`/links/${ada.link.id}`, { url: 'https://shop.example.com/new' });
    await expect.poll(() => pathOf('HEAD')).toBe('/new');
  });
});
