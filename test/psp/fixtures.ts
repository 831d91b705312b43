import type { Merchant } from './service.ts';

export interface Program {
  campaignId: string;
  affiliateId: string;
}

/** A campaign that pays 20 %, with one active affiliate. */
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

export async function createAffiliate(merchant: Merchant, campaignId: string): Promise<string> {
  const { id } = await merchant.call().affiliates.create({
    email: `${crypto.randomUUID()}@partner.example`,
    campaign_id: campaignId,
    first_name: 'Jane',
    last_name: 'Doe',
  });
  return id;
}
