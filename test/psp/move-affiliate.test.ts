import { describe, expect, test } from 'vitest';
import { createCode, createProgram, importCode, useMerchantWithCoupon } from './fixtures.ts';
import { usePspService } from './service.ts';

type Row = Readonly<Record<string, unknown>>;
const service = usePspService({ writesRows: true });
const { merchant, program } = useMerchantWithCoupon(service);

const link = () =>
  merchant.call().links.create({
    affiliate_id: program.affiliateId,
    campaign_id: program.campaignId,
    url: 'https://shop.example/start',
  });

const newCode = () =>
  importCode(
    merchant,
    program.affiliateId,
    createCode(merchant, { code: `JANE${crypto.randomUUID().slice(0, 8).toUpperCase()}` }),
  );

const campaignsOfCodes = async () =>
  new Map(
    (
      await merchant.api.get<{ data: { id: string; campaign_id: string }[] }>(`/affiliates/${program.affiliateId}/promo_codes`)
    ).body.data.map(({ id, campaign_id }) => [id, campaign_id]),
  );

describe('an affiliate who moves to another campaign', () => {
  test('keeps links and codes with move_links', async () => {
    const [kept, archived, elsewhere] = [await link(), await link(), await link()];
    await merchant.call().links.archive({ id: archived.id });
    const other = await createProgram(merchant);
    await merchant.call().links.update({ id: elsewhere.id, campaign_id: other.campaignId });
    const [running, stopped] = [await newCode(), await newCode()];
    await merchant.api.delete(`/affiliates/${program.affiliateId}/promo_codes/${stopped}`, { dry_run: false });
    const referral = await merchant.call().referrals.create({ link_id: kept.id });
    const unlimited = await merchant.call().referrals.create({ link_id: kept.id });
    const referrals = service.services.database.kysely.updateTable('referral').set({ expires_at: null });
    await referrals.where('id', '=', unlimited.id).execute();
    const target = await createProgram(merchant);

    const path = `/affiliates/${program.affiliateId}`;
    const moved = await merchant.api.patch(path, { campaign_id: target.campaignId, move_links: true });
    expect(moved).toMatchObject({ status: 200, body: { campaign_id: target.campaignId } });
    expect(moved.body['left_behind']).toMatchObject({
      campaign_id: program.campaignId,
      links_count: 0,
      promo_codes_count: 0,
      live_referrals_count: 2,
    });
    const campaignOf = async ({ id }: { id: string }) => (await merchant.call().links.get({ id })).campaign_id;
    expect(await Promise.all([kept, archived, elsewhere].map(campaignOf))).toEqual([
      target.campaignId,
      program.campaignId,
      other.campaignId,
    ]);
    const codes = await campaignsOfCodes();
    expect([codes.get(running), codes.get(stopped)]).toEqual([target.campaignId, program.campaignId]);
    const eventsOf = async (subject_id: string) =>
      (await merchant.call().events.list({ subject_id })).data.map(({ type, data }) => [type, (data as Row)['campaign_id']]);
    expect(await eventsOf(running)).toEqual([
      ['promo_code.updated', target.campaignId],
      ['promo_code.created', program.campaignId],
    ]);
    expect(await eventsOf(kept.id)).toEqual([
      ['link.updated', target.campaignId],
      ['link.created', program.campaignId],
    ]);
    expect(await merchant.call().referrals.get({ id: referral.id })).toMatchObject({ campaign_id: program.campaignId });
  });

  test('loses links and codes without move_links', async () => {
    const [own, code] = [await link(), await newCode()];
    const target = await createProgram(merchant);
    const { body } = await merchant.api.patch(`/affiliates/${program.affiliateId}`, { campaign_id: target.campaignId });
    expect(body['left_behind']).toMatchObject({
      campaign_id: program.campaignId,
      links_count: 1,
      link_ids: [own.id],
      promo_codes_count: 1,
      live_referrals_count: 0,
      message: expect.stringContaining('move_links: true') as string,
    });
    const again = await merchant.api.get(`/affiliates/${program.affiliateId}`);
    expect(again.body).not.toHaveProperty('left_behind');
    expect(await merchant.call().links.get({ id: own.id })).toMatchObject({ campaign_id: program.campaignId });
    expect((await campaignsOfCodes()).get(code)).toBe(program.campaignId);
  });

  test('is refused with move_links but without a campaign_id', async () => {
    const reply = await merchant.api.patch(`/affiliates/${program.affiliateId}`, { move_links: true });
    expect(reply).toMatchObject({ status: 422, body: { details: [{ path: 'campaign_id' }] } });
  });
});

describe('archiving a campaign', () => {
  const usage = async () =>
    (await merchant.api.get<{ usage: unknown }>(`/campaigns/${program.campaignId}`, { expand: 'usage' })).body.usage;

  async function subscribe(): Promise<string> {
    const { id } = await merchant.call().referrals.create({ affiliate_id: program.affiliateId, campaign_id: program.campaignId });
    const sale = { referral_id: id, customer_email: `${id}@buyer.example`, amount_cents: 1_000, currency: 'USD' };
    await merchant.call().tracking.recordSale({ ...sale, external_id: id });
    return id;
  }

  test('reports how many affiliates, links, codes and running subscriptions it ends', async () => {
    expect(await usage()).toEqual({ affiliates: 1, links: 0, promo_codes: 0, subscriptions: 0 });
    await link();
    await newCode();
    const [, ended] = [await subscribe(), await subscribe()];
    await merchant.call().referrals.create({ affiliate_id: program.affiliateId, campaign_id: program.campaignId });
    await merchant.call().referrals.deactivate({ id: ended });
    const before = { affiliates: 1, links: 1, promo_codes: 1, subscriptions: 1 };
    expect(await usage()).toEqual(before);
    expect(await merchant.call().campaigns.archive({ id: program.campaignId })).toMatchObject({ usage: before });
    expect((await merchant.api.delete(`/campaigns/${program.campaignId}`)).status).toBe(204);
  });

  test('does not count subscriptions that stopped earning under the campaign’s limits', async () => {
    await subscribe();
    await merchant.api.patch(`/campaigns/${program.campaignId}`, { max_commissions: 1 });
    expect(await usage()).toMatchObject({ subscriptions: 0 });
    await merchant.api.patch(`/campaigns/${program.campaignId}`, { max_commissions: null, max_commission_period_months: 1 });
    expect(await usage()).toMatchObject({ subscriptions: 1 });
    service.clock.advance(32, 'days');
    expect(await usage()).toMatchObject({ subscriptions: 0 });
    service.clock.advance(-32, 'days');
  });

  test('does not show the usage of another account', async () => {
    const other = await service.createMerchant();
    expect((await other.api.get(`/campaigns/${program.campaignId}`, { expand: 'usage' })).status).toBe(404);
    expect((await other.api.delete(`/campaigns/${program.campaignId}`)).status).toBe(404);
  });
});
