import { maintainClickPartitions, rollUpClicks } from '@affiliate/core';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { send } from '../support/http.ts';
import { type Program, program } from '../support/program.ts';
import { type Outputs } from '../support/service.ts';
import { useService, useAccount, useProgram } from '../support/suite.ts';

const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.1 Mobile/15E148 Safari/604.1';

const service = useService({ trustedProxies: 1, countryHeader: 'CF-IPCountry' });
const account = useAccount(service);
const ada = useProgram(account);
let client: Client;

beforeAll(async () => {
  client = new Client({ connectionString: service.databaseUrl });
  await client.connect();
});
afterAll(() => client.end());

type Headers = Record<string, string>;

async function click({ link }: Program, { query = '', headers = {} }: { query?: string; headers?: Headers } = {}) {
  const reply = await send(`${service.url}/t/${link.token}`, 'GET', {
    query: `account_id=${account.id}${query}`,
    headers: { 'User-Agent': PHONE, 'X-Forwarded-For': '203.0.113.7', ...headers },
  });
  expect(reply.status).toBe(302);
  return new URL(reply.headers.get('location')!).searchParams.get('referral');
}

const db = () => service.services.database.kysely;
const clicks = () => db().selectFrom('click').selectAll().where('account_id', '=', account.id).orderBy('at').execute();
const counted = async ({ link }: Program) => (await account.api.get(`/links/${link.id}`)).body['clicks'];
const partitions = async () => {
  const { rows } = await client.query<{ name: string }>(`
    select relname::text as name from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = 'click'::regclass order by relname`);
  return rows.map(({ name }) => name);
};

describe('a click', () => {
  it('records where the visitor came from, without an IP address', async () => {
    const referral = await click(ada, {
      query: '&utm_source=news&utm_medium=mail&utm_campaign=spring%07&sub1=a&sub5=e',
      headers: { Referer: 'https://blog.example.com/best?q=secret', 'Accept-Language': 'de-DE,de;q=0.9', 'CF-IPCountry': 'AT' },
    });
    const [row, ...others] = await clicks();
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      link_id: ada.link.id,
      affiliate_id: ada.affiliate.id,
      campaign_id: ada.campaign.id,
      referral_id: referral,
      rule: 'new_visitor',
      bot_reason: null,
      is_unique: true,
      referrer_host: 'blog.example.com',
      referrer_path: '/best',
      landing_path: '/start',
      utm_source: 'news',
      utm_medium: 'mail',
      utm_campaign: 'spring',
      utm_term: null,
      sub1: 'a',
      sub2: null,
      sub5: 'e',
      device: 'mobile',
      browser: 'Safari',
      os: 'iOS',
      language: 'de',
      country: 'AT',
    });
    const text = JSON.stringify(row);
    expect(text).not.toContain('203.0.113.7');
    expect(text).not.toContain('secret');
  });

  it('is counted as unique once per visitor, link and day', async () => {
    for (const address of ['203.0.113.7', '203.0.113.7', '203.0.113.8'])
      await click(ada, { headers: { 'X-Forwarded-For': address } });
    service.clock.advance(1, 'days');
    await click(ada);
    expect((await clicks()).map(({ is_unique }) => is_unique)).toEqual([true, false, true, true]);
    const keys = new Set((await clicks()).map(({ visitor_key }) => Buffer.from(visitor_key).toString('hex')));
    expect(keys.size).toBe(3);
  });

  it('that is written again after a lost connection is told apart from a click of the same network in the same millisecond', async () => {
    const first = await click(ada);
    await client.query('begin');
    try {
      await client.query('select from link_clicks where link_id = $1 for update', [ada.link.id]);
      const waiting = click(ada);
      const lost = async () => {
        const { rowCount } = await client.query(
          `select pg_terminate_backend(pid) from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()`,
        );
        return rowCount;
      };
      await expect.poll(lost).toBe(1);
      const second = await waiting;
      await client.query('commit');
      await expect.poll(() => counted(ada)).toBe(2);
      expect(new Set((await clicks()).map(({ referral_id }) => referral_id))).toEqual(new Set([first, second]));
    } finally {
      await client.query('rollback');
    }
  });

  it('reported by a page is also recorded', async () => {
    const body = {
      account_id: account.id,
      parameters: `via=${ada.link.token}&utm_source=news`,
      url: 'https://shop.example.com/offer?via=ada&utm_term=shoes',
      referrer: 'https://search.example.com/',
    };
    const reply = await send(`${service.url}/track/visits`, 'POST', { body, headers: { 'User-Agent': PHONE } });
    expect(await clicks()).toMatchObject([
      {
        referral_id: reply.body['referral_id'],
        landing_path: '/offer',
        referrer_host: 'search.example.com',
        utm_source: 'news',
        utm_term: 'shoes',
      },
    ]);
  });

  it.each([
    ['a preview', { 'User-Agent': 'WhatsApp/2.23.20.0 A' }, ['preview']],
    ['a crawler', { 'User-Agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' }, ['bot']],
    ['a program without a name', { 'User-Agent': '' }, ['bot']],
    ['a browser that nobody looks at', { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) HeadlessChrome/120.0.0.0' }, ['bot']],
    ['a prefetch', { 'Sec-Purpose': 'prefetch' }, []],
    ['a prerendered page', { 'Sec-Purpose': 'prefetch;prerender' }, []],
    ['a prefetch of an old browser', { Purpose: 'prefetch' }, []],
    ['a prefetch of an old Firefox', { 'X-Moz': 'prefetch' }, []],
    ['a preview of Safari', { 'X-Purpose': 'preview' }, []],
  ])('of %s is redirected and not counted', async (_kind, headers: Headers, reasons) => {
    expect(await click(ada, { headers })).toBeNull();
    expect(await counted(ada)).toBe(0);
    expect((await clicks()).map(({ bot_reason }) => bot_reason)).toEqual(reasons);
    expect((await account.api.get('/referrals')).body).toMatchObject({ data: [] });
  });
});

describe('GET /referrals/{id}?expand=touches', () => {
  it('lists the clicks before the referral, with the attribution rule that applied', async () => {
    const bob = await program(account, { attribution: 'last_click' }, { first_name: 'Bob' });
    const first = (await click(ada, { query: '&utm_source=news' }))!;
    const headers = { Cookie: `affiliate_referral_${account.id}=${first}` };
    service.clock.advance(1, 'minutes');
    expect(await click(ada, { headers })).toBe(first);
    service.clock.advance(1, 'minutes');
    const last = (await click(bob, { headers }))!;
    const touches = async (id: string) => (await account.api.get(`/referrals/${id}`, { expand: 'touches' })).body['touches'];
    expect(await touches(first)).toMatchObject([
      { link_id: ada.link.id, rule: 'new_visitor', is_unique: true, utm_source: 'news', device: 'mobile' },
      { link_id: ada.link.id, rule: 'first_click', is_unique: false, utm_source: null },
    ]);
    expect(await touches(last)).toMatchObject([{ link_id: bob.link.id, rule: 'last_click' }]);
    service.clock.advance(61, 'days');
    const renewed = await click(ada, { headers });
    expect(await touches(renewed!)).toMatchObject([{ rule: 'former_not_live' }]);
  });
});

describe('a test visit', () => {
  it('shows its click, and records a test sale with its commission only once', async () => {
    const mark = 'test-0123456789';
    const { site } = account.client;
    expect(await site.testVisit.query({ mark })).toEqual({ click: null, is_lead: false, sale: null, commission: null });
    await click(ada);
    const referral_id = (await click(ada, { query: `&sub5=${mark}` }))!;
    const clicked = { click: { at: service.clock.now().toISOString(), referral_id }, sale: null, commission: null };
    expect(await site.testVisit.query({ mark })).toEqual({ ...clicked, is_lead: false });
    service.clock.advance(1, 'seconds');
    const { sale_id } = await site.recordTestSale.mutate({ mark, referral_id });
    expect(await site.recordTestSale.mutate({ mark, referral_id })).toEqual({ sale_id });
    const { body } = await account.api.get<Outputs['commissions']['list']>('/commissions', { livemode: 'false' });
    const [earned, ...others] = body.data;
    expect(others).toEqual([]);
    expect(await site.testVisit.query({ mark, referral_id })).toMatchObject({
      is_lead: true,
      sale: { id: sale_id, livemode: false, amount_cents: 10_000, currency: 'USD' },
      commission: { id: earned!.id, amount_cents: earned!.amount_cents },
    });
  });

  it('of another account is not found', async () => {
    const other = await service.createAccount();
    const referral_id = (await click(ada, { query: '&sub5=test-0123456789' }))!;
    const mark = 'test-0123456789';
    expect(await other.client.site.testVisit.query({ mark })).toMatchObject({ click: null });
    for (const call of [
      () => other.client.site.testVisit.query({ mark, referral_id }),
      () => other.client.site.recordTestSale.mutate({ mark, referral_id }),
    ])
      await expect(call()).rejects.toMatchObject({ data: { code: 'NOT_FOUND' } });
  });
});

describe('the partitions of clicks', () => {
  it('are created in advance, receive existing rows of their day, and are dropped after the retention time', async () => {
    await click(ada);
    const day = service.clock.now().toISOString().slice(0, 10);
    const partition = `click_d${day.replaceAll('-', '')}`;
    await maintainClickPartitions(service.services);
    expect((await partitions()).filter((name) => name >= partition)).toHaveLength(9);
    const { rows } = await client.query('select tableoid::regclass::text as name from click where account_id = $1', [account.id]);
    expect(rows).toEqual([{ name: partition }]);
    expect(await maintainClickPartitions(service.services)).toBe(0);
    // PostgreSQL must not make statistics of a partition that has only its first clicks.
    const options = await client.query<{ reloptions: string[] }>(
      `select distinct reloptions from pg_class join pg_inherits on oid = inhrelid where inhparent = 'click'::regclass`,
    );
    expect(options.rows).toEqual([{ reloptions: ['autovacuum_analyze_threshold=1000'] }]);
    service.clock.advance(400, 'days');
    await maintainClickPartitions(service.services);
    expect(await partitions()).toContain(partition);
    service.clock.advance(1, 'days');
    // The clicks of this day are not rolled up yet, so dropping the partition would lose their counts.
    await maintainClickPartitions(service.services);
    expect(await partitions()).toContain(partition);
    expect(service.log.lines.at(-1)).toMatchObject({ level: 'warn', message: 'old clicks kept: they are not rolled up yet' });
    await rollUpClicks(service.services);
    await maintainClickPartitions(service.services);
    expect(await partitions()).not.toContain(partition);
    expect(await clicks()).toEqual([]);
    const report = await account.api.get<{ data: { clicks: number }[] }>('/analytics', { since: day, until: day });
    expect(report.body.data).toMatchObject([{ clicks: 1 }]);
  });
});
