import { beforeEach, describe, expect, it } from 'vitest';
import { useMerchantWithCoupon } from '../psp/fixtures.ts';
import { usePspService } from '../psp/service.ts';
import { unique } from '../support/program.ts';
import { promotionCode } from '../support/psp-server/index.ts';
import { Assistant, createConnector } from './assistant.ts';
import { allRows, withoutNulls } from './rows.ts';

const service = usePspService();
const { merchant, program } = useMerchantWithCoupon(service, { psp_coupon_id: 'SPRING' });
let assistant: Assistant;

beforeEach(async () => {
  const { token } = await createConnector(merchant, { allow_promo_code_management: true });
  assistant = await Assistant.overHttp(service, token);
});

/** Creates a code in Stripe, as the merchant does by hand. */
function existingCode(code: string): string {
  const made = promotionCode({ code, promotion: { type: 'coupon', coupon: 'SPRING' } });
  merchant.psp.records.promotionCodes.push(made);
  return made.id;
}

async function assigned(): Promise<string> {
  const { assignment } = await assistant.result<{ assignment: { id: string } }>('affiliate_promo_codes', {
    action: 'import',
    affiliate_id: program.affiliateId,
    psp_promotion_code_id: existingCode('HANDMADE'),
    dry_run: false,
    idempotency_key: unique('import'),
  });
  return assignment.id;
}

async function withCoupon(): Promise<object> {
  await merchant.call().affiliateCoupons.create({ affiliate_id: program.affiliateId, code: 'LEGACY' });
  return {};
}

const WRITES = [
  { tool: 'affiliate_promo_codes', action: 'import', prepare: () => ({ psp_promotion_code_id: existingCode('HANDMADE') }) },
  { tool: 'affiliate_promo_codes', action: 'create', prepare: () => ({ code: 'JANE20', psp_coupon_id: 'SPRING' }) },
  { tool: 'affiliate_promo_codes', action: 'refresh', prepare: async () => ({ id: await assigned() }) },
  { tool: 'affiliate_promo_codes', action: 'stop', prepare: async () => ({ id: await assigned() }) },
  { tool: 'manage_affiliate_coupons', action: 'create', prepare: () => ({ code: 'LEGACY' }) },
  { tool: 'manage_affiliate_coupons', action: 'update', prepare: async () => ({ ...(await withCoupon()), active: false }) },
  { tool: 'manage_affiliate_coupons', action: 'sync', prepare: withCoupon },
  { tool: 'manage_affiliate_coupons', action: 'delete', prepare: withCoupon },
] as const;

describe.each(WRITES)('$tool $action', ({ tool, action, prepare }) => {
  it('previews by default, here and at the provider, and acts only with dry_run false', async () => {
    const args = { action, affiliate_id: program.affiliateId, ...(await prepare()) };
    const before = { rows: await allRows(service), provider: structuredClone(merchant.psp.records.promotionCodes) };
    service.psp.requests.length = 0;

    expect(await assistant.call(tool, args)).toMatchObject({ isError: false, body: { dry_run: true } });
    expect(await allRows(service)).toEqual(before.rows);
    expect(merchant.psp.records.promotionCodes).toEqual(before.provider);
    expect(service.psp.requests.filter(({ method }) => method !== 'GET')).toEqual([]);

    service.clock.advance(1, 'seconds');
    const acting = { ...args, dry_run: false, idempotency_key: unique('key') };
    expect(await assistant.call(tool, acting)).toMatchObject({ isError: false, body: { dry_run: false } });
    expect(await allRows(service)).not.toEqual(before.rows);
  });

  it('acts once per idempotency key', async () => {
    const args = { action, affiliate_id: program.affiliateId, ...(await prepare()), dry_run: false };
    const acting = { ...args, idempotency_key: unique('key') };
    const first = await assistant.call(tool, acting);
    const after = { rows: await allRows(service), provider: structuredClone(merchant.psp.records.promotionCodes) };
    service.psp.requests.length = 0;
    expect(await assistant.call(tool, acting)).toEqual({ isError: false, body: { ...first.body, replayed: true } });
    expect(await allRows(service)).toEqual(after.rows);
    expect(merchant.psp.records.promotionCodes).toEqual(after.provider);
    expect(service.psp.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });
});

describe('affiliate_promo_codes', () => {
  it('returns what REST returns for a preview, a write and its repetition', async () => {
    const args = { action: 'create', affiliate_id: program.affiliateId, code: 'JANE20', psp_coupon_id: 'SPRING' };
    const preview = await assistant.call('affiliate_promo_codes', args);
    const { body } = await merchant.api.post(`/affiliates/${program.affiliateId}/promo_codes`, {
      mode: 'create',
      code: 'JANE20',
      psp_coupon_id: 'SPRING',
    });
    expect(preview.body).toEqual({ dry_run: true, result: withoutNulls(body), events: [] });

    const acting = { ...args, dry_run: false, idempotency_key: 'jane' };
    const first = await assistant.call('affiliate_promo_codes', acting);
    expect(first.body).toMatchObject({ result: { dry_run: false, operation: { state: 'succeeded' } }, replayed: false });
    const second = await assistant.call('affiliate_promo_codes', acting);
    expect(second.body).toEqual({ ...first.body, replayed: true });
    expect(merchant.psp.records.promotionCodes).toHaveLength(1);
    const list = await assistant.result('affiliate_promo_codes', {
      action: 'list',
      affiliate_id: program.affiliateId,
      q: 'JANE20',
      fields: ['code'],
    });
    expect(list).toMatchObject({ columns: ['code'], rows: [['JANE20']], matches: [{ affiliate_id: program.affiliateId }] });
  });

  it('requires an idempotency key for import and create', async () => {
    const args = { action: 'create', affiliate_id: program.affiliateId, code: 'JANE20', psp_coupon_id: 'SPRING', dry_run: false };
    expect(await assistant.call('affiliate_promo_codes', args)).toMatchObject({
      isError: true,
      body: { code: 'VALIDATION_ERROR', details: [{ path: 'idempotency_key', code: 'required' }] },
    });
  });

  it('returns a hint how to continue if the provider did not respond', async () => {
    service.psp.faults.plant({ method: 'POST', path: /^\/v1\/promotion_codes$/, kind: 'reset', effect: 'applied' });
    const args = { action: 'create', affiliate_id: program.affiliateId, code: 'JANE20', psp_coupon_id: 'SPRING' };
    const acting = { ...args, dry_run: false, idempotency_key: 'uncertain' };
    const { body } = await assistant.call('affiliate_promo_codes', acting);
    service.psp.faults.liftAll();
    expect(body).toMatchObject({ code: 'OPERATION_PENDING', hint: expect.stringContaining('same idempotency_key') });
    expect((await assistant.call('affiliate_promo_codes', acting)).isError).toBe(false);
  });

  it('rejects arguments of import for create', async () => {
    const args = { action: 'import', affiliate_id: program.affiliateId, code: 'JANE20' };
    expect((await assistant.call('affiliate_promo_codes', args)).body).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ path: 'code', code: 'unrecognized_key' }],
    });
  });
});
