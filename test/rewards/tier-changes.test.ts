/** Promotions and demotions: history, events and emails (docs/rules/rewards.md#tiers). */
import { settleDueDecisions } from '@affiliate/core';
import { describe, expect, it } from 'vitest';
import { PortalVisitor } from '../portal/people.ts';
import type { Fields } from '../support/http.ts';
import { must, refer, sell, unique } from '../support/program.ts';
import type { Outputs } from '../support/service.ts';
import { useService } from '../support/suite.ts';
import { rule, useShop } from './program.ts';

type Tier = Outputs['tiers']['create'];
type Affiliate = Outputs['affiliates']['get'];
type TierEvent = {
  id: string;
  type: string;
  data: { id: string; tiers: { name: string }[]; previous_tiers: { name: string }[] };
};

const service = useService({ worker: {} });
const { account, friends } = useShop(service, '2028-01-10T12:00:00.000Z', { days_until_commissions_are_due: 90 });

const tier = (values: Fields = {}) =>
  must<Tier>(account, '/tiers', { campaign_id: friends.campaign.id, name: 'Gold', metric: 'customers', from: 2, ...values });

async function earn(more: Fields = {}) {
  const { id } = await refer(account, friends);
  return (await sell(account, { referral_id: id, ...more })).commission!;
}

/** Lets the time pass until some minutes after a time, and the workers do their work. */
async function until(at: string): Promise<void> {
  service.clock.set(at);
  service.clock.advance(5, 'minutes');
  await service.worker!.sweepNow();
}

async function history(): Promise<[name: string, since: string, until: string | undefined][]> {
  const { body } = await account.api.get<Affiliate>(`/affiliates/${friends.affiliate.id}`, { expand: 'tiers' });
  return body.tiers!.map((period) => [period.name, period.since.slice(0, 10), period.until?.slice(0, 10)]);
}

async function changes(): Promise<[previous: string[], now: string[]][]> {
  const { body } = await account.api.get<{ data: TierEvent[] }>('/events', { type: 'affiliate.tier_changed' });
  const names = (tiers: { name: string }[]) => tiers.map(({ name }) => name);
  return body.data.map(({ data: { tiers, previous_tiers } }) => [names(previous_tiers), names(tiers)]);
}

describe('an affiliate', () => {
  it('is promoted and demoted when a month ends, with an event each', async () => {
    await tier();
    await tier({ name: 'Silver', from: 1 });
    await earn();
    await earn();
    await until('2028-01-31T23:00:00.000Z');
    expect([await history(), await changes()]).toEqual([[], []]);
    await until('2028-02-01T00:00:00.000Z');
    await earn();
    await service.worker!.sweepNow();
    await until('2028-03-01T00:00:00.000Z');
    expect(await history()).toEqual([
      ['Gold', '2028-02-01', '2028-03-01'],
      ['Silver', '2028-02-01', undefined],
    ]);
    await until('2028-04-01T00:00:00.000Z');
    expect(await history()).toEqual([
      ['Gold', '2028-02-01', '2028-03-01'],
      ['Silver', '2028-02-01', '2028-04-01'],
    ]);
    expect((await changes()).toReversed()).toEqual([
      [[], ['Silver', 'Gold']],
      [['Silver', 'Gold'], ['Silver']],
      [['Silver'], []],
    ]);
  });

  it('gets an email about it, in words that the merchant may change', async () => {
    await tier();
    await tier({ name: 'Silver', from: 1 });
    const { email } = friends.affiliate;
    const ada = await PortalVisitor.enter(service, account, email);
    await earn();
    await earn();
    await account.client.emailTexts.update.mutate({
      mail: 'tier_lost',
      language: 'en',
      subject: 'Less than {{tier}}',
      body: 'Still {{tiers}}.',
    });
    await until('2028-02-01T00:00:00.000Z');
    const { text } = await service.mailbox.take(email, /You have reached Silver and Gold at/);
    expect(text).toContain('The tiers that you have now: Silver and Gold.');
    await earn();
    await until('2028-03-01T00:00:00.000Z');
    expect((await service.mailbox.take(email, /Less than Gold/)).text).toContain('Still Silver.');
    const { tier_history } = await ada.query<Outputs['portal']['home']>('portal.home');
    expect(tier_history).toMatchObject([
      { name: 'Gold', since: '2028-02-01T00:00:00.000Z', until: '2028-03-01T00:00:00.000Z' },
      { name: 'Silver', since: '2028-02-01T00:00:00.000Z', until: null },
    ]);
  });

  it('gets no email that the merchant has switched off', async () => {
    await tier({ from: 1 });
    const { email } = friends.affiliate;
    await PortalVisitor.enter(service, account, email);
    const { choose, list } = account.client.emailTexts;
    expect(await choose.mutate({ mail: 'tier_reached', is_sent: false })).toMatchObject({ is_optional: true, is_sent: false });
    expect((await list.query()).data.filter(({ is_sent }) => !is_sent).map(({ mail }) => mail)).toEqual(['tier_reached']);
    await expect(choose.mutate({ mail: 'email_changed_by_merchant', is_sent: false })).rejects.toThrow('always sent');
    await earn();
    await until('2028-02-01T00:00:00.000Z');
    await choose.mutate({ mail: 'tier_reached', is_sent: true });
    await until('2028-03-01T00:00:00.000Z');
    await service.mailbox.take(email, /Your tier at/);
    expect(service.mailbox.takeAll(email, /reached Gold/)).toEqual([]);
    expect(await changes()).toHaveLength(2);
  });

  it('has a tier at once that begins within a month, until the merchant ends it', async () => {
    await earn();
    service.clock.set('2028-02-10T12:00:00.000Z');
    const { id } = await tier({ from: 1 });
    await until('2028-02-10T12:00:00.000Z');
    expect(await history()).toEqual([['Gold', '2028-02-10', undefined]]);
    service.clock.set('2028-02-20T12:00:00.000Z');
    await account.api.delete(`/tiers/${id}`);
    await until('2028-02-20T12:00:00.000Z');
    expect(await history()).toEqual([['Gold', '2028-02-10', '2028-02-20']]);
    expect(await changes()).toHaveLength(2);
  });

  it('keeps the tiers of months in which no worker ran', async () => {
    await tier({ from: 1 });
    await earn();
    service.clock.set('2028-03-10T00:00:00.000Z');
    await earn();
    await until('2028-05-10T00:00:00.000Z');
    expect(await history()).toEqual([
      ['Gold', '2028-04-01', '2028-05-01'],
      ['Gold', '2028-02-01', '2028-03-01'],
    ]);
  });

  it('has the change announced once, however many workers settle it at once', async () => {
    await tier({ from: 1 });
    await earn();
    service.clock.set('2028-02-01T00:05:00.000Z');
    await Promise.all(Array.from({ length: 4 }, () => settleDueDecisions(service.services)));
    await settleDueDecisions(service.services);
    expect(await changes()).toEqual([[[], ['Gold']]]);
  });
});

describe('a late fact', () => {
  it('corrects the tiers, and announces what holds now', async () => {
    await tier();
    await earn();
    await until('2028-02-10T00:00:00.000Z');
    const external_id = unique('order');
    await earn({ external_id, charged_at: '2028-01-20T00:00:00.000Z' });
    await service.worker!.sweepNow();
    expect(await history()).toEqual([['Gold', '2028-02-01', undefined]]);
    await must(account, '/track/refunds', { external_id, refund_id: 'all', amount_cents: 10_000 });
    await service.worker!.sweepNow();
    expect([await history(), await changes()]).toEqual([
      [],
      [
        [['Gold'], []],
        [[], ['Gold']],
      ],
    ]);
  });

  it('is also the commission that a person voids', async () => {
    await tier();
    await rule(account, friends.campaign, { when: { codes: ['NONE'] }, pay: { percent: 1 } });
    const { id } = await earn();
    await earn();
    await until('2028-02-10T00:00:00.000Z');
    expect(await history()).toHaveLength(1);
    await account.api.delete(`/commissions/${id}`, { void_reason: 'fraud' });
    await service.worker!.sweepNow();
    expect(await history()).toEqual([]);
  });
});
