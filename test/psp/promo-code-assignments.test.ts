import { beforeEach, describe, expect, test } from 'vitest';
import { coupon } from '../support/psp-server/index.ts';
import { createCode, importCode, useMerchantWithCoupon } from './fixtures.ts';
import { usePspService } from './service.ts';

const service = usePspService();
const { merchant, program } = useMerchantWithCoupon(service);
let path: string;

beforeEach(() => {
  path = `/affiliates/${program.affiliateId}/promo_codes`;
});

/** Creates a code at the provider, as a merchant does by hand. */
const existingCode = (fields: Parameters<typeof createCode>[1] = {}) =>
  createCode(merchant, { code: 'HANDMADE', promotion: { type: 'coupon', coupon: 'SPRING' }, ...fields });

const imported = (code: { id: string }) => importCode(merchant, program.affiliateId, code);

describe('refreshing a promo code', () => {
  test('previews or stores the provider’s state', async () => {
    const code = existingCode();
    const id = await imported(code);
    Object.assign(code, { active: false, times_redeemed: 7 });
    const said = { status: 'inactive', observation: { active: false, times_redeemed: 7 } };
    const preview = await merchant.api.patch(`${path}/${id}`, {});
    expect(preview).toMatchObject({
      status: 200,
      body: { dry_run: true, operation: { type: 'refresh' }, assignment: { id, ...said } },
    });
    expect((await merchant.api.get(path)).body).toMatchObject({ data: [{ id, status: 'active' }] });
    expect(await merchant.api.patch(`${path}/${id}`, { dry_run: false })).toMatchObject({
      body: { dry_run: false, assignment: said },
    });
    expect((await merchant.api.get(path)).body).toMatchObject({ data: [{ id, ...said }] });
  });

  test('deactivates a code that no longer exists at the provider', async () => {
    const id = await imported(existingCode());
    merchant.psp.records.promotionCodes.length = 0;
    const { body } = await merchant.api.patch(`${path}/${id}`, { dry_run: false });
    expect(body).toMatchObject({
      assignment: { status: 'inactive', observation: { active: false } },
      warnings: [{ code: 'gone' }],
    });
  });

  test('is answered with 502 if the provider fails', async () => {
    const id = await imported(existingCode());
    service.psp.faults.plant({ method: 'GET', path: /promotion_codes/, kind: 500, effect: 'none', times: 3 });
    const { status, body } = await merchant.api.patch(`${path}/${id}`, { dry_run: false });
    expect({ status, body }).toMatchObject({ status: 502, body: { code: 'PSP_ERROR', details: { reason: 'unavailable' } } });
  });
});

describe('stopping a promo code', () => {
  test('previews or permanently ends the tracking, without a call to the provider', async () => {
    const code = existingCode();
    const id = await imported(code);
    service.psp.requests.length = 0;
    const preview = await merchant.api.delete(`${path}/${id}`);
    expect(preview).toMatchObject({ status: 200, body: { dry_run: true, assignment: { status: 'stopped' } } });
    expect((await merchant.api.get(path)).body).toMatchObject({ data: [{ status: 'active' }] });

    const stopped = await merchant.api.send('DELETE', `${path}/${id}`, { query: { dry_run: false } });
    expect(stopped).toMatchObject({
      status: 200,
      body: { dry_run: false, assignment: { id, status: 'stopped', stopped_at: expect.any(String) } },
    });
    expect(service.psp.requests).toEqual([]);
    expect(code.active).toBe(true);
    const again = await merchant.api.delete(`${path}/${id}`, { dry_run: false });
    expect(again.body).toMatchObject({
      assignment: { stopped_at: (stopped.body['assignment'] as { stopped_at: string }).stopped_at },
    });
  });

  test('prevents a code from being imported or reactivated by a refresh', async () => {
    const code = existingCode();
    const id = await imported(code);
    await merchant.api.delete(`${path}/${id}`, { dry_run: false });
    const again = await merchant.api.post(
      path,
      { psp_promotion_code_id: code.id, dry_run: false },
      { 'Idempotency-Key': 'again' },
    );
    expect(again).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    const refreshed = await merchant.api.patch(`${path}/${id}`, { dry_run: false });
    expect(refreshed).toMatchObject({ body: { assignment: { status: 'stopped', observation: { active: true } } } });
  });
});

describe('listing promo codes', () => {
  test('returns the newest first, in pages', async () => {
    const ids = [await imported(existingCode()), await imported(existingCode()), await imported(existingCode())];
    const { body } = await merchant.api.get<{ data: { id: string }[] }>(path, { limit: 2 });
    expect(body).toMatchObject({ pagination: { total_count: 3, next_page: 2 } });
    expect(body.data.map(({ id }) => id)).toEqual([ids[2], ids[1]]);
    expect(body).not.toHaveProperty('matches');
    expect(body).not.toHaveProperty('discounts');
  });

  test('finds exactly the code q in the service and at the provider, with its owner', async () => {
    const mine = existingCode({ code: 'Jane20', active: false });
    const id = await imported(mine);
    await imported(existingCode({ code: 'JANE200' }));
    const free = existingCode({ code: 'JANE20' });
    const { status, body } = await merchant.api.get(path, { q: 'jane20' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      data: [{ id }],
      matches: [
        { psp_promotion_code_id: free.id, assignment_id: null, affiliate_id: null, status: null },
        { psp_promotion_code_id: mine.id, assignment_id: id, affiliate_id: program.affiliateId, status: 'inactive' },
      ],
    });
  });

  test('adds the valid coupons with discounts=true', async () => {
    merchant.psp.records.coupons.push(
      coupon({ id: 'GONE', valid: false }),
      coupon({ id: 'TEN', amount_off: 1000, currency: 'eur', percent_off: null }),
    );
    const { body } = await merchant.api.get(path, { discounts: true });
    expect(body).toMatchObject({
      discounts: [
        { psp_coupon_id: 'TEN', amount_off_cents: 1000, currency: 'EUR', percent_off: null },
        { psp_coupon_id: 'SPRING', percent_off: 20 },
      ],
    });
    expect((await merchant.api.get(path, { discounts: false })).body).not.toHaveProperty('discounts');
  });
});
