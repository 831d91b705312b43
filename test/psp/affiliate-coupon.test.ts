import { beforeEach, describe, expect, test } from 'vitest';
import { dieAfterCommit, interruptAfter } from '../support/interrupt.ts';
import { promotionCode } from '../support/psp-server/index.ts';
import { createAffiliate, createProgram, useMerchantWithCoupon } from './fixtures.ts';
import { usePspService } from './service.ts';

const service = usePspService();
const { merchant, program } = useMerchantWithCoupon(service, { psp_coupon_id: 'SPRING' });
let path: string;

beforeEach(() => {
  path = `/affiliates/${program.affiliateId}/coupon`;
});

const CREATION = { method: 'POST', path: /^\/v1\/promotion_codes$/ } as const;

function codesAtProvider() {
  return merchant.psp.records.promotionCodes.map(({ code, active }) => [code, active]);
}

async function create(code = 'JANE20') {
  const reply = await merchant.api.post(path, { code });
  expect(reply.status).toBe(201);
  return reply.body;
}

describe('creating an affiliate’s coupon', () => {
  test('creates a code of the campaign’s coupon at the provider', async () => {
    const body = await create();
    const [made] = merchant.psp.records.promotionCodes;
    expect(body).toEqual({
      id: expect.stringMatching(/^coup_/),
      affiliate_id: program.affiliateId,
      campaign_id: program.campaignId,
      code: 'JANE20',
      active: true,
      psp_promotion_code_id: made?.id,
      psp_coupon_id: 'SPRING',
      livemode: false,
      observation: expect.objectContaining({ active: true, code: 'JANE20' }),
      synced_at: expect.any(String),
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect(await merchant.api.get(path)).toMatchObject({ status: 200, body });
    expect((await merchant.api.get(`/affiliates/${program.affiliateId}`, { expand: 'coupon' })).body).toMatchObject({
      coupon: body,
    });
  });

  test('derives the code from the affiliate’s name, with a number if the code is taken', async () => {
    merchant.psp.records.promotionCodes.push(
      promotionCode({ code: 'janedoe' }),
      promotionCode({ code: 'JANEDOE2', active: false }),
    );
    expect(await merchant.api.post(path, {})).toMatchObject({ status: 201, body: { code: 'JANEDOE2' } });
  });

  test('is refused as a conflict if the affiliate already has a coupon', async () => {
    await create();
    expect(await merchant.api.post(path, { code: 'OTHER' })).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    expect(codesAtProvider()).toEqual([['JANE20', true]]);
  });

  test('is refused as a conflict if the code is taken at the provider', async () => {
    merchant.psp.records.promotionCodes.push(promotionCode({ code: 'JANE20' }));
    expect(await merchant.api.post(path, { code: 'jane20' })).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    expect(await merchant.api.get(path)).toMatchObject({ status: 404 });
  });

  test('requires a connection, an active affiliate, and a campaign with a coupon', async () => {
    const bare = await createProgram(merchant);
    expect(await merchant.api.post(`/affiliates/${bare.affiliateId}/coupon`, {})).toMatchObject({
      status: 422,
      body: { details: [{ path: 'campaign.psp_coupon_id' }] },
    });
    await merchant.call().affiliates.update({ id: program.affiliateId, state: 'disabled' });
    expect(await merchant.api.post(path, {})).toMatchObject({ status: 422 });
    await merchant.call().pspConnection.disconnect();
    expect(await merchant.api.post(path, {})).toMatchObject({ status: 422, body: { code: 'PSP_NOT_CONNECTED' } });
    expect(await merchant.api.post('/affiliates/aff_none/coupon', {})).toMatchObject({ status: 404 });
  });

  test.each(['timeout', 500, 'reset'] as const)(
    'can be completed by repeating the request after an answer was lost (%s)',
    async (kind) => {
      const fault = service.psp.faults.plant({ ...CREATION, kind, effect: 'applied' });
      expect(await merchant.api.post(path, {})).toMatchObject({ status: 409, body: { code: 'OPERATION_PENDING' } });
      fault.lift();
      expect(await merchant.api.post(path, { code: 'OTHER' })).toMatchObject({
        status: 409,
        body: { code: 'RECONCILIATION_REQUIRED' },
      });
      expect(await merchant.api.post(path, {})).toMatchObject({ status: 201, body: { code: 'JANEDOE' } });
      expect(codesAtProvider()).toEqual([['JANEDOE', true]]);
    },
  );

  test('creates one coupon and one code for 20 concurrent requests', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => merchant.api.post(path, { code: 'JANE20' })));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201, 409]));
    expect(codesAtProvider()).toEqual([['JANE20', true]]);
  });

  test('replays the response for the same Idempotency-Key', async () => {
    const key = { 'Idempotency-Key': 'k1' };
    const first = await merchant.api.post(path, { code: 'JANE20' }, key);
    const again = await merchant.api.post(path, { code: 'JANE20' }, key);
    expect(again).toMatchObject({ status: 201, body: first.body });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await merchant.api.post(path, { code: 'OTHER' }, key)).toMatchObject({ status: 422 });
  });
});

describe('a process that dies after the change and before the response', () => {
  const key = { 'Idempotency-Key': 'k1' };

  test.each([{ code: 'JANE20' }, {}])('creates one code, and the retry gets the response: %j', async (input) => {
    await dieAfterCommit(service.services, 3, async () => {
      expect((await merchant.api.post(path, input, key)).status).toBe(500);
    });
    const { body } = await merchant.api.get(path);
    // If the response were not stored, the retry would create a second code after this deletion.
    expect((await merchant.api.delete(path)).status).toBe(204);
    const retried = await merchant.api.post(path, input, key);
    expect(retried).toMatchObject({ status: 201, body });
    expect(retried.headers.get('idempotent-replayed')).toBe('true');
    expect(codesAtProvider()).toEqual([[body['code'], false]]);
  });

  // Called over tRPC, where every mutation takes an Idempotency-Key. Over REST only POST does.
  const call = (procedure: string, input: object = {}) =>
    merchant.api.send<{ result: { data: Record<string, unknown> } }>('POST', `/trpc/affiliateCoupons.${procedure}`, {
      body: { affiliate_id: program.affiliateId, ...input },
      headers: key,
    });

  test('changes the code once', async () => {
    await create();
    await dieAfterCommit(service.services, 3, async () => {
      expect((await call('update', { code: 'JANE30' })).status).toBe(500);
    });
    await merchant.api.patch(path, { code: 'JANE40' });
    expect((await call('update', { code: 'JANE30' })).body.result.data).toMatchObject({ code: 'JANE30' });
    expect(codesAtProvider()).toEqual([
      ['JANE20', false],
      ['JANE30', false],
      ['JANE40', true],
    ]);
  });

  test('deletes once, and the retry is not answered with 404', async () => {
    await create();
    await dieAfterCommit(service.services, 2, async () => expect((await call('delete')).status).toBe(500));
    expect((await call('delete')).status).toBe(200);
  });
});

describe('changing an affiliate’s coupon', () => {
  test('creates a new code and deactivates the previous code', async () => {
    const before = await create();
    const { status, body } = await merchant.api.patch(path, { code: 'JANE30' });
    expect({ status, body }).toMatchObject({ status: 200, body: { id: before['id'], code: 'JANE30', active: true } });
    expect(codesAtProvider()).toEqual([
      ['JANE20', false],
      ['JANE30', true],
    ]);
  });

  test('is completed by repeating the request after an interrupted change of the code', async () => {
    await create();
    const fault = service.psp.faults.plant({ method: 'POST', path: /promotion_codes\/promo_/, kind: 500, effect: 'none' });
    expect(await merchant.api.patch(path, { code: 'JANE30' })).toMatchObject({
      status: 409,
      body: { code: 'OPERATION_PENDING' },
    });
    expect((await merchant.api.get(path)).body).toMatchObject({ code: 'JANE20' });
    fault.lift();
    expect(await merchant.api.patch(path, { code: 'JANE30' })).toMatchObject({ status: 200, body: { code: 'JANE30' } });
    expect(codesAtProvider()).toEqual([
      ['JANE20', false],
      ['JANE30', true],
    ]);
  });

  test('activates or deactivates the code at the provider and in the service', async () => {
    await create();
    expect(await merchant.api.patch(path, { active: false })).toMatchObject({ status: 200, body: { active: false } });
    expect(codesAtProvider()).toEqual([['JANE20', false]]);
    expect(await merchant.api.patch(path, { active: true })).toMatchObject({ status: 200, body: { active: true } });
    expect(codesAtProvider()).toEqual([['JANE20', true]]);
  });

  test('is refused without a changed field, with a bad value, and for a missing coupon', async () => {
    expect(await merchant.api.patch(path, { active: false })).toMatchObject({ status: 404 });
    await create();
    expect(await merchant.api.patch(path, {})).toMatchObject({ status: 422 });
    expect(await merchant.api.patch(path, { active: 'false' })).toMatchObject({ status: 422 });
  });
});

describe('syncing an affiliate’s coupon', () => {
  test('copies the provider’s state', async () => {
    await create();
    Object.assign(merchant.psp.records.promotionCodes[0] ?? {}, { active: false, times_redeemed: 3 });
    expect(await merchant.api.post(`${path}/sync`)).toMatchObject({
      status: 200,
      body: { active: false, observation: { times_redeemed: 3 } },
    });
  });

  test('runs again under the same Idempotency-Key until it succeeds, and then replays its response', async () => {
    const before = await create();
    const sync = () => merchant.api.post(`${path}/sync`, {}, { 'Idempotency-Key': 'k1' });
    // The first transaction, which looks up the idempotency key, commits. The second transaction, which makes the change, fails.
    await interruptAfter(service.services, 1, async () => expect((await sync()).status).toBe(500));
    const again = await sync();
    expect(again).toMatchObject({ status: 200, body: { id: before['id'], active: true } });
    expect(again.headers.has('idempotent-replayed')).toBe(false);
    const replay = await sync();
    expect(replay).toMatchObject({ status: 200, body: again.body });
    expect(replay.headers.get('idempotent-replayed')).toBe('true');
  });

  test('marks a coupon without a code at the provider as inactive, and force creates the code again', async () => {
    const before = await create();
    merchant.psp.records.promotionCodes.length = 0;
    expect(await merchant.api.post(`${path}/sync`, {})).toMatchObject({ status: 200, body: { active: false } });
    expect(codesAtProvider()).toEqual([]);
    const { status, body } = await merchant.api.post(`${path}/sync`, { force: true });
    expect({ status, body }).toMatchObject({ status: 200, body: { id: before['id'], code: 'JANE20', active: true } });
    expect(body['psp_promotion_code_id']).not.toBe(before['psp_promotion_code_id']);
    expect(codesAtProvider()).toEqual([['JANE20', true]]);
  });

  test('does not change an existing code with force', async () => {
    const before = await create();
    const { body } = await merchant.api.post(`${path}/sync`, { force: true });
    expect(body['psp_promotion_code_id']).toBe(before['psp_promotion_code_id']);
  });
});

describe('deleting an affiliate’s coupon', () => {
  test('deactivates the code and removes the coupon, so that another coupon can be created', async () => {
    await create();
    expect(await merchant.api.delete(path)).toMatchObject({ status: 204, text: '' });
    expect(codesAtProvider()).toEqual([['JANE20', false]]);
    expect(await merchant.api.get(path)).toMatchObject({ status: 404 });
    expect(await merchant.api.delete(path)).toMatchObject({ status: 404 });
    await create('JANE20');
  });

  test('leaves the coupon unchanged if the provider fails', async () => {
    await create();
    service.psp.faults.plant({ method: 'POST', path: /promotion_codes/, kind: 500, effect: 'none' });
    expect(await merchant.api.delete(path)).toMatchObject({ status: 502 });
    expect((await merchant.api.get(path)).body).toMatchObject({ active: true });
  });
});

test('sales with an affiliate’s coupon are attributed, and its code cannot be assigned as a promo code', async () => {
  const body = await create();
  const sale = { external_id: 's1', amount_cents: 10_000, currency: 'USD', promo_code: 'jane20' };
  expect((await merchant.api.post('/track/sales', sale)).body).toMatchObject({
    commission: { affiliate_id: program.affiliateId, amount_cents: 2_000 },
  });
  const other = await createAffiliate(merchant, program.campaignId);
  for (const affiliate of [other, program.affiliateId]) {
    const input = { psp_promotion_code_id: body['psp_promotion_code_id'], dry_run: false };
    const reply = await merchant.api.post(`/affiliates/${affiliate}/promo_codes`, input, { 'Idempotency-Key': affiliate });
    expect(reply).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
  }
  expect((await merchant.api.get(`/affiliates/${program.affiliateId}/promo_codes`)).body).toMatchObject({ data: [] });
});

test('managing coupons requires the permissions of coupons', async () => {
  await create();
  const reader = await merchant.apiWith({ 'v1.affiliate_coupons.read': true });
  expect(await reader.get(path)).toMatchObject({ status: 200 });
  expect(await reader.patch(path, { active: false })).toMatchObject({ status: 403 });
  const stranger = await service.createMerchant();
  await stranger.connect();
  expect(await stranger.api.get(path)).toMatchObject({ status: 404 });
  expect(await stranger.api.delete(path)).toMatchObject({ status: 404 });
  expect(codesAtProvider()).toEqual([['JANE20', true]]);
});
