import { beforeEach, describe, expect, test } from 'vitest';
import { coupon } from '../support/psp-server/index.ts';
import { createAffiliate, createCode, createProgram, importCode, useMerchantWithCoupon } from './fixtures.ts';
import { usePspService } from './service.ts';

const service = usePspService({ writesRows: true, checksIndexes: true });
const { merchant, program } = useMerchantWithCoupon(service);
let path: string;

beforeEach(() => {
  path = `/affiliates/${program.affiliateId}/promo_codes`;
});

const CREATE = { mode: 'create', code: 'JANE20', psp_coupon_id: 'SPRING', dry_run: false };

function key(value: string = crypto.randomUUID()): Record<string, string> {
  return { 'Idempotency-Key': value };
}

/** Creates a code at the provider, as a merchant does by hand. */
const existingCode = (fields: Parameters<typeof createCode>[1] = {}) =>
  createCode(merchant, { code: 'HANDMADE', promotion: { type: 'coupon', coupon: 'SPRING' }, ...fields });

const imported = (code: { id: string }) => importCode(merchant, program.affiliateId, code);

describe('previews', () => {
  test('of a creation are the default, read from the provider and change nothing', async () => {
    const { dry_run: _, ...input } = CREATE;
    const { status, body } = await merchant.api.post(path, input);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        dry_run: true,
        operation: { id: null, type: 'create', state: 'previewed' },
        assignment: {
          id: null,
          affiliate_id: program.affiliateId,
          campaign_id: program.campaignId,
          psp_promotion_code_id: null,
          psp_coupon_id: 'SPRING',
          code: 'JANE20',
          livemode: false,
          tracking_token: null,
          status: 'active',
          observation: null,
          observed_at: null,
          stopped_at: null,
          created_at: null,
          updated_at: null,
        },
        warnings: [],
      },
    });
    expect(service.psp.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
    expect((await merchant.api.get(path)).body).toMatchObject({ data: [] });
  });

  test('of an import change nothing', async () => {
    const code = existingCode({ max_redemptions: 10, active: false });
    const { status, body } = await merchant.api.post(path, { psp_promotion_code_id: code.id });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      dry_run: true,
      operation: { type: 'import', state: 'previewed' },
      assignment: { id: null, code: 'HANDMADE', status: 'inactive', observation: { max_redemptions: 10 } },
      warnings: [{ code: 'inactive' }],
    });
    expect((await merchant.api.get(path)).body).toMatchObject({ data: [] });
  });

  test('do not use up an idempotency key', async () => {
    await merchant.api.post(path, { ...CREATE, dry_run: true }, key('k1'));
    expect(await merchant.api.post(path, CREATE, key('k1'))).toMatchObject({ status: 201 });
  });

  test('require dry_run to be a boolean', async () => {
    const { status, body } = await merchant.api.post(path, { ...CREATE, dry_run: 'false' }, key());
    expect({ status, body }).toMatchObject({ status: 422, body: { details: [{ path: 'dry_run' }] } });
  });
});

describe('creating a promo code', () => {
  test('creates the code at the provider, with the operation’s id as its key and metadata', async () => {
    const { status, body } = await merchant.api.post<{ operation: { id: string } }>(path, CREATE, key());
    const [made] = merchant.psp.records.promotionCodes;
    expect(status).toBe(201);
    expect(body).toMatchObject({
      dry_run: false,
      operation: { id: expect.stringMatching(/^op_/), type: 'create', state: 'succeeded' },
      assignment: {
        id: expect.stringMatching(/^pca_/),
        psp_promotion_code_id: made?.id,
        psp_coupon_id: 'SPRING',
        code: 'JANE20',
        livemode: false,
        status: 'active',
        tracking_token: expect.stringMatching(/^ptk_/),
        observation: { active: true, code: 'JANE20', times_redeemed: 0 },
        observed_at: expect.any(String),
      },
      warnings: [],
    });
    expect(made?.metadata).toMatchObject({ affiliate_operation_id: body.operation.id, affiliate_id: program.affiliateId });
    expect(service.psp.received('POST', /promotion_codes/)).toMatchObject([{ idempotencyKey: body.operation.id }]);
  });

  test('requires an idempotency key', async () => {
    const { status, body } = await merchant.api.post(path, CREATE);
    expect({ status, body }).toMatchObject({ status: 422, body: { details: [{ path: 'Idempotency-Key', code: 'required' }] } });
    expect(service.psp.requests).toEqual([]);
  });

  test('replays the response for the same key and input, and marks it', async () => {
    const first = await merchant.api.post(path, CREATE, key('k1'));
    const again = await merchant.api.post(path, CREATE, key('k1'));
    expect(again).toMatchObject({ status: 201, body: first.body });
    expect([first, again].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true']);
    expect(merchant.psp.records.promotionCodes).toHaveLength(1);
  });

  test('refuses the same key with another input', async () => {
    await merchant.api.post(path, CREATE, key('k1'));
    const { status, body } = await merchant.api.post(path, { ...CREATE, code: 'OTHER' }, key('k1'));
    expect({ status, body }).toMatchObject({ status: 422, body: { details: [{ path: 'Idempotency-Key' }] } });
  });

  test('refuses a code that is already active at the provider, because that code can be imported', async () => {
    const code = existingCode();
    for (const dryRun of [true, false]) {
      const { status, body } = await merchant.api.post(path, { ...CREATE, code: 'handmade', dry_run: dryRun }, key());
      expect({ status, body }).toMatchObject({
        status: 409,
        body: { code: 'CONFLICT', details: { psp_promotion_code_id: code.id } },
      });
    }
  });

  test.each([
    ['NONE', 'not_found'],
    ['EXPIRED', 'coupon_invalid'],
  ])('refuses coupon %s as %s', async (pspCouponId, code) => {
    merchant.psp.records.coupons.push(coupon({ id: 'EXPIRED', valid: false }));
    const { status, body } = await merchant.api.post(path, { ...CREATE, psp_coupon_id: pspCouponId }, key());
    expect({ status, body }).toMatchObject({ status: 422, body: { details: [{ path: 'psp_coupon_id', code }] } });
  });

  test('frees the key after a refusal', async () => {
    const refused = await merchant.api.post(path, { ...CREATE, psp_coupon_id: 'NONE' }, key('k1'));
    const mended = await merchant.api.post(path, CREATE, key('k1'));
    expect([refused.status, mended.status]).toEqual([422, 201]);
  });

  test.each<[Record<string, unknown>, string]>([
    [{}, 'psp_promotion_code_id'],
    [{ mode: 'create', code: 'A' }, 'psp_coupon_id'],
    [{ mode: 'create', psp_coupon_id: 'SPRING' }, 'code'],
    [{ ...CREATE, psp_promotion_code_id: 'promo_1' }, 'psp_promotion_code_id'],
    [{ psp_promotion_code_id: 'promo_1', code: 'A' }, 'code'],
    [{ mode: 'import', psp_promotion_code_id: 'promo_1' }, 'mode'],
    [{ ...CREATE, code: 'has space' }, 'code'],
    [{ ...CREATE, code: '' }, 'code'],
    [{ ...CREATE, coupon: 'SPRING' }, 'coupon'],
  ])('refuses %j and names %s', async (input, field) => {
    const { status, body } = await merchant.api.post<{ details: { path: string }[] }>(path, input, key());
    expect(status).toBe(422);
    expect(body.details.map((detail) => detail.path)).toContain(field);
  });
});

describe('importing a promo code', () => {
  test('accepts an existing code', async () => {
    const code = existingCode({ times_redeemed: 4 });
    const { status, body } = await merchant.api.post(path, { psp_promotion_code_id: code.id, dry_run: false }, key());
    expect(status).toBe(201);
    expect(body).toMatchObject({
      operation: { type: 'import', state: 'succeeded' },
      assignment: { psp_promotion_code_id: code.id, observation: { times_redeemed: 4 } },
    });
    expect(service.psp.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  test('changes nothing when repeated for the same affiliate', async () => {
    const code = existingCode();
    const id = await imported(code);
    const { status, body } = await merchant.api.post(path, { psp_promotion_code_id: code.id, dry_run: false }, key());
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { assignment: { id }, warnings: [{ code: 'already_assigned' }] },
    });
  });

  test('refuses a code of another affiliate', async () => {
    const code = existingCode();
    await imported(code);
    const other = await createAffiliate(merchant, program.campaignId);
    for (const dryRun of [true, false]) {
      const input = { psp_promotion_code_id: code.id, dry_run: dryRun };
      const { status, body } = await merchant.api.post(`/affiliates/${other}/promo_codes`, input, key());
      expect({ status, body }).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    }
  });

  test('treats the same provider id in another account as another code', async () => {
    const code = existingCode();
    await imported(code);
    const other = await service.createMerchant();
    await other.connect();
    other.psp.records.promotionCodes.push({ ...code });
    const otherProgram = await createProgram(other);
    const otherPath = `/affiliates/${otherProgram.affiliateId}/promo_codes`;
    expect(await other.api.post(otherPath, { psp_promotion_code_id: code.id, dry_run: false }, key())).toMatchObject({
      status: 201,
    });
  });

  test.each([
    ['a code that does not exist', () => 'promo_none', 'not_found'],
    ['a code of the other mode', () => existingCode({ livemode: true }).id, 'other_mode'],
  ])('refuses %s', async (_what, id, code) => {
    const { status, body } = await merchant.api.post(path, { psp_promotion_code_id: id(), dry_run: false }, key());
    expect({ status, body }).toMatchObject({ status: 422, body: { details: [{ path: 'psp_promotion_code_id', code }] } });
  });
});

describe('promo codes need', () => {
  const calls: [string, () => Promise<{ status: number; body: unknown }>][] = [
    ['list', () => merchant.api.get(path)],
    ['preview', () => merchant.api.post(path, { ...CREATE, dry_run: true })],
    ['create', () => merchant.api.post(path, CREATE, key())],
    ['import', () => merchant.api.post(path, { psp_promotion_code_id: 'promo_1', dry_run: false }, key())],
  ];

  test.each(calls)('a connection: %s', async (_name, send) => {
    await merchant.call().pspConnection.disconnect();
    expect(await send()).toMatchObject({ status: 422, body: { code: 'PSP_NOT_CONNECTED' } });
  });

  test.each(calls)('an active affiliate: %s', async (_name, send) => {
    await service.services.database.kysely
      .updateTable('affiliate')
      .set({ state: 'disabled' })
      .where('id', '=', program.affiliateId)
      .execute();
    expect(await send()).toMatchObject({ status: 422, body: { details: [{ code: 'affiliate_inactive' }] } });
  });

  test.each(calls)('an active campaign: %s', async (_name, send) => {
    await merchant.call().campaigns.archive({ id: program.campaignId });
    expect(await send()).toMatchObject({ status: 422, body: { details: [{ code: 'campaign_archived' }] } });
  });

  test('permissions of their own', async () => {
    const reader = await merchant.apiWith({ 'v1.affiliate_coupons.read': true });
    expect(await reader.get(path)).toMatchObject({ status: 200 });
    expect(await reader.post(path, { ...CREATE, dry_run: true })).toMatchObject({ status: 403 });
    const stranger = await merchant.apiWith({ 'v1.affiliates.read': true });
    expect(await stranger.get(path)).toMatchObject({ status: 403 });
  });

  test('the affiliate in the path', async () => {
    const id = await imported(existingCode());
    const other = await createAffiliate(merchant, program.campaignId);
    expect(await merchant.api.patch(`/affiliates/${other}/promo_codes/${id}`, {})).toMatchObject({ status: 404 });
    expect(await merchant.api.delete(`/affiliates/${other}/promo_codes/${id}`)).toMatchObject({ status: 404 });
    expect(await merchant.api.get('/affiliates/aff_none/promo_codes')).toMatchObject({ status: 404 });
    const stranger = await service.createMerchant();
    await stranger.connect();
    expect(await stranger.api.get(path)).toMatchObject({ status: 404 });
    expect(await stranger.api.delete(`${path}/${id}`)).toMatchObject({ status: 404 });
  });
});
