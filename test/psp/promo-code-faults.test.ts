import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { startProgram } from '../app/program.ts';
import { builtProgram } from '../support/built-program.ts';
import { Api, type Reply } from '../support/http.ts';
import { credentials, SECRET_KEY } from '../support/service.ts';
import { createAffiliate, merchantWithCoupon, useMerchantWithCoupon } from './fixtures.ts';
import { errorOf, type Merchant, usePspService } from './service.ts';

beforeAll(builtProgram);
const service = usePspService({ writesRows: true });
const { merchant, program } = useMerchantWithCoupon(service);
let path: string;

beforeEach(() => {
  path = `/affiliates/${program.affiliateId}/promo_codes`;
});

const CREATE = { mode: 'create', code: 'JANE20', psp_coupon_id: 'SPRING', dry_run: false };
const CREATION = { method: 'POST', path: /^\/v1\/promotion_codes$/ } as const;

function create(key: string, api: Api = merchant.api): Promise<Reply> {
  return api.post(path, CREATE, { 'Idempotency-Key': key });
}

/** Expects exactly one code at the provider, assigned once. */
async function expectOneOfEach(of = { merchant, program }): Promise<void> {
  const { psp, api, id } = of.merchant;
  const { promotionCodes } = psp.records;
  expect(promotionCodes).toHaveLength(1);
  const { body } = await api.get(`/affiliates/${of.program.affiliateId}/promo_codes`);
  expect(body).toMatchObject({ pagination: { total_count: 1 }, data: [{ psp_promotion_code_id: promotionCodes[0]?.id }] });
  const open = await service.services.database.kysely
    .selectFrom('operation')
    .select('id')
    .where('account_id', '=', id)
    .where('state', '=', 'pending')
    .execute();
  expect(open).toEqual([]);
}

describe('a lost response from the provider', () => {
  test.each([
    ['a timeout after the code was made', 'timeout', 'applied', false],
    ['a timeout before the code was made', 'timeout', 'none', false],
    ['a 500 after the code was made', 500, 'applied', false],
    ['a 500 before the code was made', 500, 'none', false],
    ['a 500 after the code was made, replayed for the key,', 500, 'applied', true],
    ['a 500 before the code was made, replayed for the key,', 500, 'none', true],
    ['a proxy’s error page after the code was made', 'garbage', 'applied', false],
  ] as const)(
    'after %s is answered with OPERATION_PENDING, and the retry completes the operation',
    async (_what, kind, effect, remembered) => {
      service.psp.faults.plant({ ...CREATION, kind, effect, remembered, times: 1 });
      const first = await create('k1');
      expect(first).toMatchObject({
        status: 409,
        body: { code: 'OPERATION_PENDING', details: { operation_id: expect.stringMatching(/^op_/) } },
      });
      const retry = await create('k1');
      expect(retry).toMatchObject({
        status: 201,
        body: { operation: { id: (first.body['details'] as { operation_id: string }).operation_id } },
      });
      await expectOneOfEach();
      expect(await create('k1')).toMatchObject({ status: 201, body: retry.body });
    },
  );

  test('leaves a pending operation that every member can see and complete', async () => {
    service.psp.faults.plant({ ...CREATION, kind: 500, effect: 'applied', times: 1 });
    const { details } = (await create('k1')).body as { details: { operation_id: string } };
    const { promoCodes } = merchant.call();
    const affiliate_id = program.affiliateId;
    expect((await promoCodes.pending({ affiliate_id })).data).toEqual([
      {
        id: details.operation_id,
        affiliate_id,
        type: 'create',
        livemode: false,
        code: 'JANE20',
        psp_coupon_id: 'SPRING',
        psp_promotion_code_id: null,
        is_running: false,
        created_at: service.clock.instant(),
      },
    ]);
    const resumed = await promoCodes.resume({ affiliate_id, ...details });
    expect(resumed).toMatchObject({ dry_run: false, operation: { id: details.operation_id }, assignment: { code: 'JANE20' } });
    expect(await promoCodes.pending({ affiliate_id })).toEqual({ data: [] });
    expect(await promoCodes.pending({})).toEqual({ data: [] });
    expect((await promoCodes.listAll({ code: 'jane20', status: ['active'] })).data).toEqual([
      expect.objectContaining({ id: resumed.assignment.id, affiliate_id }),
    ]);
    expect(await promoCodes.get({ id: resumed.assignment.id! })).toMatchObject({ code: 'JANE20' });
    expect(await errorOf(promoCodes.resume({ affiliate_id, ...details }))).toMatchObject({ code: 'NOT_FOUND' });
    expect(await create('k1')).toMatchObject({ status: 201, body: { assignment: { id: resumed.assignment.id } } });
    await expectOneOfEach();
  });

  test.each(['applied', 'none'] as const)(
    'after repeated broken connections (%s) leaves the operation pending until a retry succeeds',
    async (effect) => {
      const fault = service.psp.faults.plant({ ...CREATION, kind: 'reset', effect });
      expect(await create('k1')).toMatchObject({ status: 409, body: { code: 'OPERATION_PENDING' } });
      expect(await create('k1')).toMatchObject(effect === 'applied' ? { status: 201 } : { status: 409 });
      fault.lift();
      expect(await create('k1')).toMatchObject({ status: 201 });
      await expectOneOfEach();
    },
  );

  test('leaves the operation pending if the look-up fails too', async () => {
    service.psp.faults.plant({ ...CREATION, kind: 500, effect: 'applied', times: 1 });
    await create('k1');
    const blind = service.psp.faults.plant({ method: 'GET', path: /promotion_codes/, kind: 503, effect: 'none' });
    expect(await create('k1')).toMatchObject({ status: 409, body: { code: 'OPERATION_PENDING' } });
    blind.lift();
    const locked = service.psp.faults.plant({ method: 'GET', path: /promotion_codes/, kind: 403, effect: 'none' });
    expect(await create('k1')).toMatchObject({ status: 502, body: { code: 'PSP_ERROR' } });
    locked.lift();
    expect(await create('k1')).toMatchObject({ status: 201 });
    await expectOneOfEach();
  });

  test('for an import leaves the operation pending, and the retry completes it', async () => {
    const { body } = await create('k1');
    const id = (body['assignment'] as { psp_promotion_code_id: string }).psp_promotion_code_id;
    service.psp.faults.plant({ method: 'GET', path: /promotion_codes/, kind: 500, effect: 'none' });
    const input = { psp_promotion_code_id: id, dry_run: false };
    const send = () => merchant.api.post(path, input, { 'Idempotency-Key': 'k2' });
    expect(await send()).toMatchObject({ status: 409, body: { code: 'OPERATION_PENDING' } });
    service.psp.faults.liftAll();
    expect(await send()).toMatchObject({ status: 200 });
    await expectOneOfEach();
  });
});

describe('another idempotency key while the outcome is unknown', () => {
  test('gets RECONCILIATION_REQUIRED until the first key is retried, and CONFLICT afterwards', async () => {
    service.psp.faults.plant({ ...CREATION, kind: 500, effect: 'applied', times: 1 });
    const first = await create('k1');
    expect(await create('k2')).toMatchObject({
      status: 409,
      body: { code: 'RECONCILIATION_REQUIRED', details: first.body['details'] },
    });
    // A third request is refused too, although it writes the code in lower case and has another affiliate and another key.
    const other = await createAffiliate(merchant, program.campaignId);
    const shouted = { ...CREATE, code: 'jane20' };
    const asked = await merchant.api.post(`/affiliates/${other}/promo_codes`, shouted, { 'Idempotency-Key': 'k3' });
    expect(asked).toMatchObject({ status: 409, body: { code: 'RECONCILIATION_REQUIRED' } });
    expect(merchant.psp.records.promotionCodes).toHaveLength(1);

    expect(await create('k1')).toMatchObject({ status: 201 });
    expect(await create('k2')).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    await expectOneOfEach();
  });

  test('is accepted after the outcome has been unknown for a day', async () => {
    service.psp.faults.plant({ ...CREATION, kind: 500, effect: 'none', times: 1 });
    await create('k1');
    service.clock.advance(23, 'hours');
    expect(await create('k2')).toMatchObject({ status: 409, body: { code: 'RECONCILIATION_REQUIRED' } });
    service.clock.advance(2, 'hours');
    expect(await create('k2')).toMatchObject({ status: 201 });
    await expectOneOfEach();
  });

  test('is accepted for another code', async () => {
    service.psp.faults.plant({ ...CREATION, kind: 500, effect: 'applied', times: 1 });
    await create('k1');
    expect(await merchant.api.post(path, { ...CREATE, code: 'OTHER' }, { 'Idempotency-Key': 'k2' })).toMatchObject({
      status: 201,
    });
  });
});

describe('concurrent requests', () => {
  test('with one key create one code and one assignment, and each returns the assignment or OPERATION_PENDING', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => create('k1')));
    const codes = new Set(answers.map(({ status, body }) => (status === 201 ? 'created' : body['code'])));
    expect([...codes].filter((code) => code !== 'created' && code !== 'OPERATION_PENDING')).toEqual([]);
    expect(codes).toContain('created');
    expect(await create('k1')).toMatchObject({ status: 201 });
    expect(service.psp.received('POST', /promotion_codes/)).toHaveLength(1);
    await expectOneOfEach();
  });

  test('with 50 keys for one code succeed for only one key', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => create(`k${i}`)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const refusals = new Set(answers.filter(({ status }) => status !== 201).map(({ body }) => body['code']));
    expect([...refusals].filter((code) => code !== 'RECONCILIATION_REQUIRED' && code !== 'CONFLICT')).toEqual([]);
    await expectOneOfEach();
  });

  test('that import one code for 20 affiliates succeed for only one affiliate', async () => {
    const { body } = await create('k1');
    const affiliates = await Promise.all(Array.from({ length: 20 }, () => createAffiliate(merchant, program.campaignId)));
    const code = merchant.psp.records.promotionCodes[0];
    await service.services.database.kysely.deleteFrom('promo_code').where('account_id', '=', merchant.id).execute();
    expect(body['assignment']).toBeDefined();
    const answers = await Promise.all(
      affiliates.map((id, i) =>
        merchant.api.post(
          `/affiliates/${id}/promo_codes`,
          { psp_promotion_code_id: code?.id, dry_run: false },
          { 'Idempotency-Key': `import-${i}` },
        ),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 409]));
  });
});

test('a retry in another process completes the operations of a killed process, whether or not the provider had responded', async () => {
  const settings = { DATABASE_URL: service.databaseUrl, PSP_API_BASE: service.psp.url, SECRET_KEY, PORT: '0' };
  const other = await startProgram(['rest'], settings);
  onTestFinished(() => void other.child.kill('SIGKILL'));
  const through = ({ id, apiKey }: Merchant) => new Api(other.url, credentials(id, apiKey));

  // The first merchant's request is waiting for the provider when the process is killed.
  const early = await merchantWithCoupon(service);
  const createEarly = (key: string, api = early.merchant.api) =>
    api.post(`/affiliates/${early.program.affiliateId}/promo_codes`, CREATE, { 'Idempotency-Key': key });
  const fault = service.psp.faults.plant({ ...CREATION, kind: 'timeout', effect: 'applied', times: 1 });
  const earlyRequest = createEarly('k1', through(early.merchant)).catch(() => 'connection lost');
  await fault.met;
  expect(await createEarly('k1')).toMatchObject({ status: 409, body: { code: 'OPERATION_PENDING' } });
  expect(await createEarly('k2')).toMatchObject({ status: 409, body: { code: 'RECONCILIATION_REQUIRED' } });

  // The second merchant's request has received the provider's response, but has not committed.
  const lock = await lockAssignments();
  const request = create('k1', through(merchant)).catch(() => 'connection lost');
  await lock.blocksSomeone();
  expect(merchant.psp.records.promotionCodes).toHaveLength(1);
  await other.end('SIGKILL');
  await lock.release();
  expect(await Promise.all([request, earlyRequest])).toEqual(['connection lost', 'connection lost']);

  const [answer, earlyAnswer] = await Promise.all([retried(() => create('k1')), retried(() => createEarly('k1'))]);
  expect(answer).toMatchObject({ status: 201, body: { operation: { type: 'create' } } });
  expect(earlyAnswer).toMatchObject({ status: 201 });
  await expectOneOfEach();
  await expectOneOfEach(early);
});

/** Repeats the request until the killed process's lease has ended. */
async function retried(send: () => Promise<Reply>): Promise<Reply> {
  const deadline = Date.now() + 15_000;
  for (;;) {
    const reply = await send();
    if (reply.body['code'] !== 'OPERATION_PENDING' || Date.now() > deadline) return reply;
    await setTimeout(200);
  }
}

/** Blocks writes of assignments until released. */
async function lockAssignments() {
  const client = new Client({ connectionString: service.databaseUrl });
  await client.connect();
  await client.query('begin; lock table promo_code in share mode');
  return {
    async blocksSomeone(): Promise<void> {
      for (;;) {
        const waiting = await client.query(`select from pg_locks where not granted and relation = 'promo_code'::regclass`);
        if (waiting.rowCount) return;
        await setTimeout(10);
      }
    },
    async release(): Promise<void> {
      await client.end();
    },
  };
}
