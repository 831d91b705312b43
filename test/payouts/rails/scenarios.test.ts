/** The same payments through every rail, against its double. `stories.ts` has those that also survive deaths, and the file of a rail what only it does. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Fields } from '../../support/http.ts';
import { sendAllMail } from '../../support/mailbox.ts';
import type { RailDouble } from '../../support/rail-double.ts';
import { SAMPLE_SEED } from '../../support/seed.ts';
import { THOROUGH } from '../../support/thorough.ts';
import { discrepancies, type Payee } from '../program.ts';
import { RailMerchant, RAILS, type RailService, startRailService } from './merchant.ts';

describe.each(RAILS)('$name', (rail) => {
  let number = 0;
  /** The ordinary run tells each scenario on one rail, in turn. */
  const isTold = () => THOROUGH || ((number += 1) + SAMPLE_SEED) % RAILS.length === RAILS.indexOf(rail);
  let at: RailService;
  let double: RailDouble;
  let merchant: RailMerchant;
  let ada: Payee;

  beforeAll(async () => {
    at = await startRailService(rail);
    ({ double } = at);
  });
  afterAll(() => at.stop());
  beforeEach(async () => {
    merchant = await RailMerchant.open(at);
    ada = await merchant.payee('ada');
  });

  const attempt = async (of = ada) => (await merchant.attempts(of))[0]!;
  const keyOf = async (of = ada) => String((await attempt(of))['id']);
  /** Returns the subjects of the emails that the owner of the account gets. */
  const mails = async (): Promise<string[]> => {
    await sendAllMail(at.service.services);
    return at.service.mailbox
      .takeAll(merchant.account.ownerEmail, /pays nothing more|needs your decision/)
      .map(({ subject }) => subject);
  };
  const lost = (times = 1_000) => Array.from({ length: times }, () => 'lose the request' as const);
  const arrive = async () => {
    merchant.app.process();
    await merchant.later(6, 'minutes');
  };
  const decide = async (body: Fields) => merchant.attemptTo('decide', await keyOf(), body);

  it.runIf(isTold())('makes a payment once, reads it until it has arrived, and tells the fee', async () => {
    await merchant.pay();
    expect(merchant.app.posts).toEqual([await keyOf()]);
    expect(merchant.app.made).toMatchObject([{ key: await keyOf(), cents: 1_000, currency: 'USD' }]);
    expect(await attempt()).toMatchObject({ rail_id: merchant.railId });
    await arrive();
    expect(await attempt()).toMatchObject({
      state: 'arrived',
      provider_item_id: merchant.app.made[0]!.id,
      fee_cents: rail.feeCents,
      fee_currency: rail.feeCents === null ? null : 'USD',
    });
    expect(await merchant.payout(ada)).toMatchObject({ state: 'paid' });
    const books = (await merchant.account.api.get('/payout_runs/reconcile')).body;
    expect(books).toMatchObject({
      totals: [{ currency: 'USD', paid_cents: 1_000, paid_by_service_cents: 1_000, paid_by_hand_cents: 0 }],
      fees: [{ currency: 'USD', fee_cents: rail.feeCents }],
    });
    await merchant.later(1, 'days');
    expect(merchant.app.posts).toHaveLength(1);
    expect(await discrepancies(merchant.account)).toEqual([]);
  });

  it.runIf(isTold())('sends nothing any more once the key may be forgotten, and a person decides', async () => {
    merchant.app.fates = lost();
    await merchant.pay();
    for (let day = 0; day <= rail.keyDays; day += 1) await merchant.later(1, 'days');
    const posted = merchant.app.posts.length;
    expect(await attempt()).toMatchObject({ state: 'unknown', reason: 'key_expired' });
    expect(await mails()).toEqual([expect.stringContaining('A payment needs your decision')]);
    merchant.app.fates = [];
    await merchant.later(1, 'days');
    expect(merchant.app.posts).toHaveLength(posted);
    expect(await mails()).toEqual([]);
    expect(await merchant.payout(ada)).toMatchObject({ state: 'processing' });
    const decided = await decide({ outcome: 'failed', reason: 'Not in the account.' });
    expect(decided.body).toMatchObject({ state: 'failed' });
    expect(await merchant.payout(ada)).toMatchObject({ state: 'due' });
    await merchant.later(2, 'days');
    expect(await attempt()).toMatchObject({ state: 'failed' });
    expect(merchant.app.posts).toHaveLength(posted);
  });

  it.runIf(isTold())('opens a payout at once that is certainly refused, and pays it under a new key', async () => {
    merchant.app.fates = [rail.refusal];
    await merchant.pay();
    expect(await attempt()).toMatchObject({ state: 'failed', reason: 'The receiver … is invalid.' });
    expect(await merchant.payout(ada)).toMatchObject({ state: 'due' });
    const { body } = await merchant.attemptTo('retry', await keyOf());
    expect(body).toMatchObject({ key_generation: 2, state: 'prepared' });
    await merchant.advance();
    await arrive();
    expect(new Set(merchant.app.posts).size).toBe(2);
    expect(merchant.app.made).toHaveLength(1);
    expect(await merchant.payout(ada)).toMatchObject({ state: 'paid' });
  });

  it.runIf(isTold())('does not believe a refusal of a repeated request that is not about its content', async () => {
    merchant.app.fates = ['lose the answer', rail.stop];
    await merchant.pay();
    await merchant.later(6, 'minutes');
    expect((await attempt())['state']).not.toBe('failed');
    expect(await merchant.payout(ada)).not.toMatchObject({ state: 'due' });
    await merchant.settings('POST', `payout_rails/${merchant.railId}/resume`);
    await merchant.later(6, 'minutes');
    await arrive();
    expect(await attempt()).toMatchObject({ state: 'arrived' });
    expect(merchant.app.made).toHaveLength(1);
  });

  it.skipIf(!isTold() || rail.isAtOnce)('never takes a payment of another amount for arrived', async () => {
    await merchant.pay();
    merchant.app.process('pending');
    merchant.app.misstate(await keyOf(), 1_001);
    await merchant.later(6, 'minutes');
    expect(await attempt()).toMatchObject({ state: 'unknown', reason: 'amount_mismatch' });
    expect(await merchant.payout(ada)).toMatchObject({ state: 'processing' });
    expect((await decide({ outcome: 'arrived', reason: 'It was rounded.' })).status).toBe(200);
    merchant.app.turn(await keyOf(), 'arrived');
    await merchant.later(1, 'days');
    expect(await merchant.payout(ada)).toMatchObject({ state: 'paid' });
    merchant.app.turn(await keyOf(), 'returned');
    await merchant.later(1, 'days');
    expect(await attempt()).toMatchObject({ state: 'returned' });
  });

  it.runIf(isTold())('leaves a payment paid whose amount changes after it has arrived', async () => {
    await merchant.pay();
    await arrive();
    merchant.app.misstate(await keyOf(), 999);
    await merchant.later(1, 'days');
    expect(await attempt()).toMatchObject({ state: 'arrived' });
    expect(await merchant.payout(ada)).toMatchObject({ state: 'paid' });
    expect(await discrepancies(merchant.account)).toEqual([]);
  });

  it.runIf(isTold())('does not mistake another payment for the one that a person means', async () => {
    merchant.app.fates = lost();
    await merchant.pay();
    for (let day = 0; day <= rail.keyDays; day += 1) await merchant.later(1, 'days');
    const bob = await merchant.payee('bob');
    merchant.app.fates = [];
    await merchant.pay();
    await arrive();
    const key = await keyOf(bob);
    merchant.app.turn(key, 'returned');
    const { id } = merchant.app.made.find((made) => made.key === key)!;
    await decide({ outcome: 'arrived', reason: 'Seen there.', provider_item_id: id });
    await merchant.later(1, 'days');
    expect(await attempt()).toMatchObject({ state: 'arrived', raw_state: null });
  });

  it.skipIf(!isTold() || rail.isAtOnce)('keeps the state of a payment when the rail names one that nobody knows', async () => {
    await merchant.pay();
    merchant.app.process('pending');
    await merchant.later(6, 'minutes');
    merchant.app.turn(await keyOf(), 'unheard of');
    await merchant.later(6, 'minutes');
    expect(await attempt()).toMatchObject({ state: 'in_transit' });
    expect(await merchant.payout(ada)).toMatchObject({ state: 'processing' });
  });

  it.runIf(isTold()).each(Object.entries(rail.shows))('shows a payment that is %s as %s', async (stage, state) => {
    await merchant.pay();
    merchant.app.process('pending');
    merchant.app.turn(await keyOf(), stage as 'pending');
    await merchant.later(6, 'minutes');
    expect(await attempt()).toMatchObject({ state });
    const open = state === 'failed' || state === 'returned';
    expect(await merchant.payout(ada)).toMatchObject({ state: open ? 'due' : state === 'arrived' ? 'paid' : 'processing' });
    expect(await discrepancies(merchant.account)).toEqual([]);
  });

  it.runIf(isTold()).each(rail.recallable)('calls a payment back that is %s', async (stage) => {
    await merchant.pay();
    merchant.app.process(stage);
    await merchant.later(6, 'minutes');
    expect((await merchant.attemptTo('cancel', await keyOf())).status).toBe(200);
    await merchant.advance();
    const { state, cancel_requested_at } = await attempt();
    expect({ isOver: state === 'returned' || state === 'failed', cancel_requested_at }).toEqual({
      isOver: true,
      cancel_requested_at: null,
    });
    expect(await merchant.payout(ada)).toMatchObject({ state: 'due' });
    expect(await discrepancies(merchant.account)).toEqual([]);
  });

  it.runIf(isTold())('pays nothing more without a balance until a person resumes', async () => {
    merchant.app.balance = new Map([['USD', 1_000 + (rail.feeCents ?? 0) - 1]]);
    await merchant.pay();
    merchant.app.process();
    await merchant.later(6, 'minutes');
    expect(await attempt()).toMatchObject({ state: 'failed' });
    expect(await merchant.payout(ada)).toMatchObject({ state: 'due' });
    const { body: stopped } = await merchant.settings('GET', `payout_rails/${merchant.railId}`);
    expect(stopped['problem']).toEqual(expect.any(String));
    expect(await mails()).toEqual([expect.stringContaining('pays nothing more')]);
    const bob = await merchant.payee('bob');
    const { id } = await merchant.prepare({ affiliate_ids: [bob.program.affiliate.id] });
    await merchant.act(id, 'send');
    await merchant.later(6, 'minutes');
    expect(await attempt(bob)).toMatchObject({ state: 'prepared' });
    expect(merchant.app.posts).toHaveLength(1);
    merchant.app.balance = new Map([['USD', 10_000]]);
    await merchant.settings('POST', `payout_rails/${merchant.railId}/resume`);
    await merchant.later(6, 'minutes');
    await arrive();
    expect(await attempt(bob)).toMatchObject({ state: 'arrived' });
    // The one that was refused is asked again under a new key.
    await merchant.attemptTo('retry', await keyOf());
    await merchant.advance();
    await arrive();
    expect(await attempt()).toMatchObject({ state: 'arrived', key_generation: 2 });
  });

  it.runIf(isTold())('stops when the account may not pay: one payment fails, and the others wait', async () => {
    const bob = await merchant.payee('bob');
    merchant.app.fates = [rail.stop];
    await merchant.pay();
    const states = [(await attempt())['state'], (await attempt(bob))['state']];
    expect(new Set(states)).toEqual(new Set(['failed', 'prepared']));
    await merchant.connect();
    await merchant.later(6, 'minutes');
    await arrive();
    expect(new Set([(await attempt())['state'], (await attempt(bob))['state']])).toEqual(new Set(['arrived', 'failed']));
  });

  it.runIf(isTold())('makes no more calls in a minute than the rail takes, and the others later', async () => {
    const method = at.service.services.payoutMethods.find((each) => each.kind === rail.kind && 'send' in each)!;
    const { perMinute } = method.limits;
    method.limits.perMinute = 2;
    try {
      const payees = [ada];
      for (const name of ['bob', 'cai', 'dan', 'eva', 'fay']) payees.push(await merchant.payee(name));
      await merchant.pay();
      expect(merchant.app.posts).toHaveLength(2);
      for (let times = 0; times < 5; times += 1) await merchant.later(10, 'seconds');
      expect(merchant.app.posts.length).toBeLessThanOrEqual(4);
      for (let minute = 0; minute < 12; minute += 1) await merchant.later(1, 'minutes');
      merchant.app.process();
      for (let minute = 0; minute < 12; minute += 1) await merchant.later(1, 'minutes');
      for (const payee of payees) expect(await attempt(payee)).toMatchObject({ state: 'arrived' });
      expect(merchant.app.made).toHaveLength(payees.length);
    } finally {
      if (perMinute === undefined) delete method.limits.perMinute;
      else method.limits.perMinute = perMinute;
    }
  });

  it.runIf(isTold())('says what payments need against what is there, and which fees it does not know', async () => {
    merchant.app.balance = new Map([['USD', 1_020]]);
    const { funds, fees, unquoted_count, payouts_count } = await merchant.prepare({ dry_run: true });
    expect({ funds, fees, unquoted_count, payouts_count }).toEqual({
      payouts_count: 1,
      unquoted_count: rail.quotes ? 0 : 1,
      fees: rail.quotes ? [{ currency: 'USD', quoted_cents: rail.feeCents, charged_cents: 0, affiliate_cents: 0 }] : [],
      funds: [
        {
          currency: 'USD',
          needed_cents: 1_000 + (rail.quotes ? rail.feeCents! : 0),
          unquoted_count: rail.quotes ? 0 : 1,
          available_cents: rail.hasBalance ? 1_020 : null,
        },
      ],
    });
    expect(merchant.app.posts).toEqual([]);
  });

  describe('when it is connected', () => {
    it.runIf(isTold())('shows no secret, and refuses wrong credentials, other fields and a second account', async () => {
      const secrets = Object.values(merchant.app.credentials).map(String);
      const { body } = await merchant.settings('GET', 'payout_rails');
      const { rows } = { rows: await at.service.services.database.kysely.selectFrom('payout_rail').selectAll().execute() };
      const entries = await merchant.account.client.auditLog.browse.query({ tool: 'payout_rails' });
      const hidden = secrets.filter((secret) => JSON.stringify([body, rows, entries]).includes(secret));
      expect(hidden.filter((secret) => !rows.some((row) => row.provider_account_id === secret))).toEqual([]);
      expect(body).toMatchObject({ data: [{ id: merchant.railId, has_endpoint: true }] });
      const wrong = Object.fromEntries(
        Object.entries(merchant.app.credentials).map(([name, value]) => [name, `${String(value)}x`]),
      );
      expect(await merchant.connect(wrong)).toMatchObject({ status: 422 });
      expect((await merchant.connect({})).status).toBe(422);
      expect((await merchant.connect({ ...merchant.app.credentials, constructor: 'x' })).status).toBe(422);
      expect(await merchant.connect(double.addAccount().credentials)).toMatchObject({
        status: 422,
        body: { details: [{ code: 'taken' }] },
      });
    });

    it.runIf(isTold())(
      'leaves what is under way to the return of a removed account, and pays nothing through another one',
      async () => {
        merchant.app.fates = ['lose the answer'];
        await merchant.pay();
        expect((await merchant.settings('DELETE', `payout_rails/${merchant.railId}`)).status).toBe(204);
        const other = double.addAccount();
        const connected = await merchant.connect(other.credentials);
        expect(connected.status).toBe(201);
        await merchant.later(6, 'minutes');
        expect(await attempt()).toMatchObject({ state: 'unknown', rail_id: merchant.railId });
        expect(other.posts).toEqual([]);
        await merchant.settings('DELETE', `payout_rails/${String(connected.body['id'])}`);
        expect(await merchant.connect()).toMatchObject({ status: 201, body: { id: merchant.railId } });
        await merchant.later(6, 'minutes');
        await arrive();
        expect(await attempt()).toMatchObject({ state: 'arrived' });
        expect(merchant.app.made).toHaveLength(1);
      },
    );

    it.runIf(isTold())('pays only in the mode of its account', async () => {
      const refused = await merchant.account.api.post('/payout_batches', { method: rail.kind, livemode: false });
      expect(refused).toMatchObject({ status: 422, body: { details: [{ path: 'method', code: 'not_connected' }] } });
      await merchant.settings('DELETE', `payout_rails/${merchant.railId}`);
      const gone = await merchant.account.api.post('/payout_batches', { method: rail.kind });
      expect(gone).toMatchObject({ status: 422, body: { details: [{ path: 'method', code: 'not_connected' }] } });
      expect((await merchant.connect(double.addAccount(true).credentials)).body).toMatchObject({ livemode: false });
    });
  });

  describe('by a notice', () => {
    beforeEach(() => merchant.pay());

    it.runIf(isTold())('reads the payment at once, and takes the notice once', async () => {
      merchant.app.process();
      const notice = merchant.app.notice(await keyOf());
      expect(await merchant.deliver(notice)).toMatchObject({ status: 200, body: { outcome: 'taken' } });
      await merchant.advance();
      expect(await attempt()).toMatchObject({ state: 'arrived' });
      expect(await merchant.deliver(notice)).toMatchObject({ status: 200, body: { outcome: 'duplicate' } });
    });

    it.skipIf(!isTold() || rail.isAtOnce)('believes the payment, not the notice', async () => {
      merchant.app.process('arrived');
      const notice = merchant.app.notice(await keyOf());
      merchant.app.turn(await keyOf(), 'pending');
      await merchant.deliver(notice);
      await merchant.advance();
      expect(await attempt()).toMatchObject({ state: 'in_transit' });
    });

    it.runIf(isTold())('refuses a forged one, one of another account, and one for no account, without a request', async () => {
      const good = merchant.app.notice(await keyOf());
      const { state } = await attempt();
      const requests = double.requests.length;
      for (const bad of [
        { body: good.body, headers: {} },
        { ...good, body: 'not json' },
      ])
        expect(await merchant.deliver(bad)).toMatchObject({ status: 400, body: { code: 'INVALID_SIGNATURE' } });
      expect(double.requests).toHaveLength(requests);
      expect((await merchant.deliver({ ...good, body: good.body.replace(/:\d/, ':7') })).status).toBe(400);
      const other = await RailMerchant.open(at);
      expect((await merchant.deliver(good, other.railId)).status).toBe(400);
      expect((await merchant.deliver(good, 'rail_unknown')).status).toBe(400);
      expect(await attempt()).toMatchObject({ state });
    });

    it.runIf(isTold())('learns of a payment whose answer has not come', async () => {
      const bob = await merchant.payee('bob');
      merchant.app.fates = ['lose the answer'];
      await merchant.pay();
      expect(await attempt(bob)).toMatchObject({ state: 'unknown' });
      const key = await keyOf(bob);
      const posts = merchant.app.posts.length;
      merchant.app.process();
      await merchant.deliver(merchant.app.notice(key));
      await merchant.advance();
      expect((await attempt(bob))['state']).not.toBe('unknown');
      expect(merchant.app.posts).toHaveLength(posts);
      expect(merchant.app.made.filter((made) => made.key === key)).toHaveLength(1);
    });
  });
});
