import type { Merchant, PspTestService } from './service.ts';

export interface Program {
  campaignId: string;
  affiliateId: string;
}

/** A campaign with one active affiliate. */
export async function createProgram(
  service: PspTestService,
  merchant: Merchant,
  campaign: { psp_coupon_id?: string } = {},
): Promise<Program> {
  const { id: campaignId } = await merchant.call().campaigns.create({
    name: `Campaign ${crypto.randomUUID()}`,
    url: 'https://shop.example',
    reward_type: 'percent',
    commission_percent: 20,
    ...campaign,
  });
  return { campaignId, affiliateId: await createAffiliate(service, merchant, campaignId) };
}

export async function createAffiliate(service: PspTestService, merchant: Merchant, campaignId: string): Promise<string> {
  const id = `aff_${crypto.randomUUID()}`;
  const at = service.clock.instant();
  await service.services.database.kysely
    .insertInto('affiliate')
    .values({
      id,
      account_id: merchant.id,
      campaign_id: campaignId,
      user_id: null,
      email: `${id}@partner.example`,
      first_name: 'Jane',
      last_name: 'Doe',
      state: 'active',
      walleta_email: null,
      walletb_email: null,
      psp_customer_id: null,
      archived_at: null,
      created_at: at,
      updated_at: at,
    })
    .execute();
  return id;
}
