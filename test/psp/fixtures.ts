import { afterEach, beforeEach, expect } from 'vitest';
import { coupon, promotionCode } from '../support/psp-server/index.ts';
import type { Merchant, PspTestService } from './service.ts';

export interface Program {
  campaignId: string;
  affiliateId: string;
}

/** Creates a campaign that pays 20 %, with an active affiliate. */
export async function createProgram(merchant: Merchant, campaign: { psp_coupon_id?: string } = {}): Promise<Program> {
  const { id: campaignId } = await merchant.call().campaigns.create({
    name: `Campaign ${crypto.randomUUID()}`,
    url: 'https://shop.example',
    reward_type: 'percent',
    commission_percent: 20,
    ...campaign,
  });
  return { campaignId, affiliateId: await createAffiliate(merchant, campaignId) };
}

/** Creates a connected merchant with a coupon at the provider, and a program. */
export async function merchantWithCoupon(
  service: PspTestService,
  campaign?: { psp_coupon_id?: string },
): Promise<{ merchant: Merchant; program: Program }> {
  const merchant = await service.createMerchant();
  await merchant.connect();
  merchant.psp.records.coupons.push(coupon({ id: 'SPRING' }));
  return { merchant, program: await createProgram(merchant, campaign) };
}

/** Connects a new merchant with a coupon and a program before each test, and lets the provider work again after it. */
export function useMerchantWithCoupon(service: PspTestService, campaign?: { psp_coupon_id?: string }) {
  const merchant = {} as Merchant;
  const program = {} as Program;
  beforeEach(async () => {
    const made = await merchantWithCoupon(service, campaign);
    Object.assign(merchant, made.merchant);
    Object.assign(program, made.program);
    service.psp.requests.length = 0;
  });
  afterEach(() => service.psp.faults.liftAll());
  return { merchant, program };
}

export async function createAffiliate(merchant: Merchant, campaignId: string): Promise<string> {
  const { id } = await merchant.call().affiliates.create({
    email: `${crypto.randomUUID()}@partner.example`,
    campaign_id: campaignId,
    first_name: 'Jane',
    last_name: 'Doe',
  });
  return id;
}

/** Adds a code at the provider, as if the merchant had created it there. */
export function createCode(merchant: Merchant, fields: Parameters<typeof promotionCode>[0]) {
  const code = promotionCode(fields);
  merchant.psp.records.promotionCodes.push(code);
  return code;
}

/** Assigns a code of the provider to an affiliate. Returns the id of the assignment. */
export async function importCode(merchant: Merchant, affiliateId: string, code: { id: string }): Promise<string> {
  const { status, body } = await merchant.api.post<{ assignment: { id: string } }>(
    `/affiliates/${affiliateId}/promo_codes`,
    { psp_promotion_code_id: code.id, dry_run: false },
    { 'Idempotency-Key': crypto.randomUUID() },
  );
  expect(status).toBe(201);
  return body.assignment.id;
}
