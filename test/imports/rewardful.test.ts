import { beforeEach, describe, expect, it } from 'vitest';
import { databaseRows } from '../support/dump.ts';
import { must, sell } from '../support/program.ts';
import { useAccount, useService } from '../support/suite.ts';
import { madeIn, makeAgain, Mover, outcomesOf } from './moving.ts';
import { cut, forbidden, maintenance, moved, RewardfulServer, tooMany } from './rewardful-server/rewardful-server.ts';

const service = useService({ writesRows: true });
const account = useAccount(service);
let mover: Mover;
let double: RewardfulServer;

beforeEach(async () => {
  double = await new RewardfulServer().start();
  mover = new Mover(service, account);
  service.services.imports = { apiBases: { rewardful: double.url }, pauseMs: 0 };
  return () => double.stop();
});

/** Fills the double: three campaigns, and affiliates of whom every second has customers. */
function fill(affiliates: number) {
  const campaigns = [
    double.addCampaign(),
    double.addCampaign({
      reward_type: 'amount',
      commission_percent: null,
      commission_amount_cents: 1_500,
      commission_amount_currency: 'EUR',
    }),
    double.addCampaign({ private: true, max_commissions: 3 }),
  ];
  const states = ['active', 'active', 'pending', 'disabled', 'suspicious'];
  for (let i = 0; i < affiliates; i += 1) {
    const affiliate = double.addAffiliate(campaigns[i % 3]!, { state: states[i % 5]! });
    if (i % 2 === 0) double.addReferral(affiliate);
    if (i % 10 === 0) double.addReferral(affiliate, { customer: null, stripe_customer_id: null, conversion_state: 'visitor' });
  }
  return campaigns;
}

const begin = () => mover.read({ source: 'rewardful', credentials: double.secret });

const made = () => madeIn(service, account);

describe('a program at Rewardful', () => {
  it('moves with all affiliates, their links and customers, without the key staying', async () => {
    fill(120);
    const read = await begin();
    expect(read).toMatchObject({ state: 'ready', expected_count: 195 });
    expect(outcomesOf(read)).toEqual([
      'campaign new 0/3',
      'affiliate new 0/120',
      'link new 0/120',
      'customer new 0/60',
      'customer skipped 0/12',
    ]);
    expect(await made()).toEqual([]);
    expect(outcomesOf(await mover.run(read.id))).toEqual([
      'campaign new 3/3',
      'affiliate new 120/120',
      'link new 120/120',
      'customer new 60/60',
      'customer skipped 12/12',
    ]);
    expect(await mover.list(`/affiliates?email=partner.2@example.com`)).toMatchObject([
      { walleta_email: 'pay.2@example.com', created_at: '2023-02-03T04:05:06.000Z' },
    ]);
    expect(await mover.list('/links?token=partner-7')).toMatchObject([{ url: 'https://shop.example.com/' }]);
    // The customer converted there, so the referral does not expire any more: a renewal earns 30 %.
    await sell(account, { psp_customer_id: 'cus_rw1', amount_cents: 5_000 });
    expect(await mover.list('/commissions')).toMatchObject([{ amount_cents: 1_500 }]);
    expect(await databaseRows(service)).not.toContain(double.secret);
  });

  it('is the same after being stopped at any point, and read twice', async () => {
    fill(20);
    expect(await makeAgain(mover, { source: 'rewardful', credentials: double.secret }, made)).not.toEqual([]);
  });

  it('brings only what is new when it is run again', async () => {
    const [campaign] = fill(4);
    const { id } = await begin();
    await mover.run(id);
    expect(await mover.act(id, 'run')).toMatchObject({
      status: 422,
      body: { details: [{ path: 'credentials', code: 'required' }] },
    });
    double.addReferral(double.addAffiliate(campaign!, { email: 'late@example.com', token: 'late' }));
    const before = await made();
    await mover.run(id, { credentials: double.secret });
    const after = await made();
    const added = after.filter((line) => !before.includes(line));
    expect(added.map((line) => line.split(' ')[0])).toEqual(['affiliate', 'claim', 'link', 'referral']);
    expect(before.every((line) => after.includes(line))).toBe(true);
  });

  it('leaves names that go on working: tokens, and ids of referrals in checkouts that began before', async () => {
    const [campaign] = fill(0);
    const affiliate = double.addAffiliate(campaign!, { token: 'Old-Post' });
    const waiting = double.addReferral(affiliate, { conversion_state: 'lead', expires_at: '2999-01-01T00:00:00.000Z' });
    const { id } = await begin();
    await mover.run(id);
    const [referral] = await mover.list<{ id: string }>(`/referrals?external_id=${waiting.id}`);
    await must(account, '/track/sales', {
      external_id: 'order-1',
      amount_cents: 1_000,
      currency: 'USD',
      referral_id: referral!.id,
    });
    expect((await fetch(`${service.url}/t/OLD-post?account_id=${account.id}`, { redirect: 'manual' })).status).toBe(302);
    expect(await mover.list('/commissions')).toMatchObject([{ amount_cents: 300, referral_id: referral!.id }]);
  });
});

describe('the progress of an import', () => {
  const progress = async (id: string) => (await mover.get(id))['progress'];

  it('says how fast the work is and how long it goes on', async () => {
    fill(120);
    const { id } = (await mover.begin({ source: 'rewardful', credentials: double.secret })).body;
    expect(await progress(id)).toEqual({ phase: 'reading', done: 0, total: null, per_minute: 0, seconds_left: null });
    // Two pages: the campaigns, and the first 100 affiliates.
    let parts = 2;
    await mover.advance(() => (parts -= 1) < 0);
    service.clock.advance(10, 'seconds');
    expect(await progress(id)).toEqual({ phase: 'reading', done: 103, total: 123, per_minute: 618, seconds_left: 2 });
    await mover.advance();
    expect(await progress(id)).toBeNull();
    await mover.act(id, 'run');
    parts = 50;
    await mover.advance(() => (parts -= 1) < 0);
    service.clock.advance(10, 'seconds');
    // 3 campaigns and 47 affiliates of 315 records.
    expect(await progress(id)).toEqual({ phase: 'making', done: 50, total: 315, per_minute: 300, seconds_left: 53 });
    await mover.act(id, 'stop');
    expect(await progress(id)).toBeNull();
    service.clock.advance(5, 'hours');
    await mover.act(id, 'run');
    expect(await progress(id)).toMatchObject({ done: 50, per_minute: 0, seconds_left: null });
    service.clock.advance(10, 'seconds');
    parts = 10;
    await mover.advance(() => (parts -= 1) < 0);
    expect(await progress(id)).toMatchObject({ done: 60, per_minute: 60, seconds_left: 255 });
    await mover.advance();
    await mover.act(id, 'undo');
    parts = 1;
    await mover.advance(() => (parts -= 1) < 0);
    service.clock.advance(10, 'seconds');
    expect(await progress(id)).toMatchObject({ phase: 'removing', done: 60, total: 303, per_minute: 360, seconds_left: 41 });
    await mover.advance();
    expect(await progress(id)).toBeNull();
  });

  it('counts the records of each reading alone', async () => {
    fill(4);
    const { id, expected_count } = await begin();
    await mover.run(id);
    await mover.run(id, { credentials: double.secret });
    expect(await mover.get(id)).toMatchObject({ state: 'done', expected_count });
  });
});

it('the problems of an import are downloaded as CSV', async () => {
  const [campaign] = fill(1);
  for (let i = 0; i < 150; i += 1) double.addAffiliate(campaign!, { email: `=wrong, ${i}` });
  const { id } = await begin();
  const { status, headers, text } = await account.api.get(`/api/settings/v1/imports/${id}/rows.csv?outcome=problem`);
  const lines = text.trimEnd().split('\r\n');
  expect([status, headers.get('content-disposition')]).toEqual([200, 'attachment; filename=rows.csv']);
  expect(lines[0]).toBe('kind,source_id,outcome,reason,detail,record_id,data');
  expect(lines.filter((line) => line.startsWith('affiliate,'))).toHaveLength(150);
  expect(lines.filter((line) => line.startsWith('link,'))).toHaveLength(150);
  expect(lines[1]).toMatch(/^affiliate,[-0-9a-f]+,problem,invalid,email: invalid_format,,"\{.*""email"":""=wrong, \d+""/);
});

describe('codes at Rewardful', () => {
  it('attribute sales here without a write at the provider, and are undone unless they were redeemed', async () => {
    const [campaign] = fill(0);
    const [ada, ben] = [double.addAffiliate(campaign!), double.addAffiliate(campaign!)];
    double.addCoupon(ada, { token: 'ADA20' });
    double.addCoupon(ben);
    double.addCoupon(ben, { external_id: null });
    const { id } = await begin();
    expect(outcomesOf(await mover.run(id)).filter((line) => line.startsWith('code'))).toEqual([
      'code new 2/2',
      'code problem 0/1',
    ]);
    await sell(account, { customer_email: 'eve@shop.example', promo_code: 'ada20' });
    expect(await mover.list('/commissions')).toMatchObject([{ amount_cents: 3_000 }]);
    expect(outcomesOf(await begin())).toContain('code existing 0/2');
    await mover.act(id, 'undo');
    await mover.advance();
    expect((await mover.rows(id)).flatMap(({ kind, reason }) => (reason === 'in_use' ? kind : []))).toEqual([
      'campaign',
      'affiliate',
      'code',
    ]);
  });
});

describe('a source that cannot answer', () => {
  it.each([
    ['asks to wait', tooMany, 7],
    ['cuts the connection', cut, 30],
    ['shows a page instead of JSON', maintenance, 30],
  ])('and %s is asked again where reading stopped', async (_, trouble, seconds) => {
    fill(3);
    double.troubles.push(null, trouble);
    const waiting = await begin();
    const now = service.clock.now().getTime();
    expect(waiting).toMatchObject({ state: 'reading', failure: null, resume_at: new Date(now + seconds * 1_000).toISOString() });
    await mover.advance();
    expect(double.requests).toHaveLength(2);
    service.clock.advance(seconds, 'seconds');
    await mover.advance();
    expect(await mover.get(waiting.id)).toMatchObject({ state: 'ready', resume_at: null });
    expect(double.requests).toHaveLength(7);
  });

  it('fails with a reason for a plan without API, and goes on with another key', async () => {
    fill(3);
    double.troubles.push(null, forbidden);
    const failed = await begin();
    expect(failed).toMatchObject({ state: 'failed', failure: 'no_api_access' });
    expect(await mover.run(failed.id, { credentials: double.secret })).toMatchObject({ state: 'ready', failure: null });
  });

  it('fails with a reason for a wrong key and for a redirect', async () => {
    expect(await mover.read({ source: 'rewardful', credentials: 'sk_wrong' })).toMatchObject({
      state: 'failed',
      failure: 'key_refused',
    });
    double.troubles.push(moved);
    expect(await begin()).toMatchObject({ state: 'reading', resume_at: expect.any(String) });
  });

  it('has a record of another form, which holds up nothing', async () => {
    const [campaign] = fill(0);
    double.addAffiliate(campaign!, { email: 7 as never });
    double.addAffiliate(campaign!, { email: 'not an address' });
    double.addAffiliate(campaign!, { token: 'spaces in it' });
    const read = await begin();
    const problems = await mover.rows(read.id, '&outcome=problem');
    expect(problems.map(({ kind, reason, detail }) => [kind, reason, detail?.split(':')[0]])).toEqual(
      expect.arrayContaining([
        ['affiliate', 'invalid', 'email'],
        ['link', 'invalid', 'token'],
        ['link', 'affiliate_missing', undefined],
      ]),
    );
    expect(outcomesOf(await mover.run(read.id))).toContain('affiliate new 1/1');
  });
});
