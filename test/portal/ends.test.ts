import { tellOfChangedRewards, tellOfEndedCampaigns, tellOfEndedMemberships } from '@affiliate/core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Fields } from '../support/http.ts';
import { sendAllMail } from '../support/mailbox.ts';
import { type Program, must, program, refer, sell, unique } from '../support/program.ts';
import { type Outputs, type TestAccount } from '../support/service.ts';
import { useService } from '../support/suite.ts';
import { PortalVisitor } from './people.ts';

type Home = Outputs['portal']['home'];

const NEVER = () => false;
const service = useService();
let account: TestAccount;

beforeAll(async () => {
  account = await service.createAccount();
});

async function affiliate(
  terms: Fields = {},
  person: Fields = {},
): Promise<{ started: Program; visitor: PortalVisitor; email: string }> {
  const email = `${unique('ada')}@partner.example`;
  const started = await program(account, { days_until_commissions_are_due: 0, ...terms }, { email, ...person });
  const visitor = await PortalVisitor.enter(service, account, email);
  service.clock.advance(1, 'minutes');
  return { started, visitor, email };
}

async function earn(started: Program): Promise<void> {
  await sell(account, { referral_id: (await refer(account, started)).id });
  service.clock.advance(1, 'minutes');
}

/** Writes all emails about ends twice, and returns those to an address. */
async function told(email: string): Promise<{ subject: string; text: string }[]> {
  for (let time = 0; time < 2; time += 1)
    for (const tell of [tellOfEndedMemberships, tellOfEndedCampaigns, tellOfChangedRewards]) await tell(service.services, NEVER);
  await sendAllMail(service.services);
  return service.mailbox.takeAll(email, /ended|changed what you earn/).map(({ subject, text }) => ({
    subject,
    text: text.replaceAll('\u00a0', ' '),
  }));
}

const patch = async (path: string, body: Fields) => expect((await account.api.patch(path, body)).status).toBe(200);
const remove = async (path: string) => expect((await account.api.delete(path)).status).toBe(204);
const today = () => new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(service.clock.now());

describe('the end of a membership', () => {
  it.each(['disabled', 'archived'])('of an affiliate who is %s and owed money is told once, with what is owed', async (how) => {
    const { started, visitor, email } = await affiliate();
    await earn(started);
    if (how === 'archived') await remove(`/affiliates/${started.affiliate.id}`);
    else await patch(`/affiliates/${started.affiliate.id}`, { state: how });
    const mails = await told(email);
    expect(mails.map(({ subject }) => subject)).toEqual(['Your membership in the program of Test account has ended']);
    expect(mails[0]!.text).toContain(`Test account ended your membership on ${today()}. Your links and codes earn nothing new.`);
    expect(mails[0]!.text).toContain('What you have earned stays yours. US$10.00 is still to be paid.');
    expect(await visitor.query<Home>('portal.home')).toMatchObject({
      state: 'disabled',
      links: [{ token: started.link.token, earns: false }],
      earnings: [{ outlook: { amount_cents: 1_000 } }],
    });
    const { data } = await visitor.query<Outputs['portal']['listLinks']>('portal.listLinks');
    expect(data).toMatchObject([{ earns: false }]);
  });

  it('says nothing of money that is not owed, and a second end is told again', async () => {
    const { started, email } = await affiliate();
    const path = `/affiliates/${started.affiliate.id}`;
    await patch(path, { state: 'disabled' });
    const [first] = await told(email);
    expect(first!.text).not.toContain('stays yours');
    service.clock.advance(1, 'hours');
    await patch(path, { state: 'active' });
    service.clock.advance(1, 'hours');
    expect(await told(email)).toEqual([]);
    await patch(path, { state: 'disabled' });
    expect(await told(email)).toHaveLength(1);
  });

  it('is not told to an applicant who was rejected, nor to somebody whose data were erased', async () => {
    const { started, email } = await affiliate({}, { state: 'pending' });
    await patch(`/affiliates/${started.affiliate.id}`, { state: 'rejected' });
    expect(await told(email)).toEqual([]);
    const erased = await affiliate();
    await must(account, `/affiliates/${erased.started.affiliate.id}/erase`, {}, 200);
    expect(await told(erased.email)).toEqual([]);
  });
});

describe('the end of a campaign', () => {
  it('is told to its active affiliates, and the portal offers no link of it to copy', async () => {
    const { started, visitor, email } = await affiliate({ name: 'Tea time' });
    await earn(started);
    expect(await visitor.query<Home>('portal.home')).toMatchObject({ campaign: { archived_at: null }, links: [{ earns: true }] });
    await remove(`/campaigns/${started.campaign.id}`);
    const mails = await told(email);
    expect(mails.map(({ subject }) => subject)).toEqual(['Test account has ended Tea time']);
    expect(mails[0]!.text).toContain('What you have earned stays yours, and is paid as before.');
    expect(await visitor.query<Home>('portal.home')).toMatchObject({
      campaign: { archived_at: expect.any(String) },
      links: [{ earns: false }],
    });
  });
});

describe('a change of rewards', () => {
  it('is told an hour after the last change, with the former and the current reward', async () => {
    const { started, visitor, email } = await affiliate({ commission_percent: 20 });
    const path = `/campaigns/${started.campaign.id}`;
    await patch(path, { commission_percent: 25 });
    service.clock.advance(30, 'minutes');
    await patch(path, { commission_percent: 30 });
    service.clock.advance(59, 'minutes');
    expect(await told(email)).toEqual([]);
    service.clock.advance(1, 'minutes');
    const [mail, ...more] = await told(email);
    expect(more).toEqual([]);
    expect(mail!.subject).toBe('Test account has changed what you earn');
    expect(mail!.text).toContain('Before: 20% of every sale to a customer you refer.');
    expect(mail!.text).toContain('Now: 30% of every sale to a customer you refer.');
    const { campaign } = await visitor.query<Home>('portal.home');
    expect(campaign.reward_change!.former_in.en).toBe('20% of every sale to a customer you refer.');
    service.clock.advance(31, 'days');
    expect(await visitor.query<Home>('portal.home')).toMatchObject({ campaign: { reward_change: null } });
  });

  it('is told even if another setting has changed before the email was written', async () => {
    const { started, email } = await affiliate({ commission_percent: 20 });
    const path = `/campaigns/${started.campaign.id}`;
    await patch(path, { commission_percent: 25 });
    service.clock.advance(70, 'minutes');
    await patch(path, { days_until_commissions_are_due: 40 });
    const [mail] = await told(email);
    expect(mail!.text).toContain('Now: 25% of every sale to a customer you refer.');
    service.clock.advance(2, 'hours');
    expect(await told(email)).toEqual([]);
  });

  it('is told with its exceptions, once there are rules', async () => {
    const { started, email } = await affiliate({ commission_percent: 20 });
    const rule = { campaign_id: started.campaign.id, when: { products: ['addon'] }, pay: { nothing: true } };
    const expectTold = async (former: string, current: string) => {
      service.clock.advance(2, 'hours');
      const [mail] = await told(email);
      expect([`Before: ${former}`, `Now: ${current}`].filter((sentence) => !mail!.text.includes(sentence))).toEqual([]);
    };
    const every = (percent: number, end: string) => `${percent}% of every sale to a customer you refer${end}`;
    service.clock.advance(1, 'minutes');
    await patch(`/campaigns/${started.campaign.id}`, { commission_percent: 25 });
    await must(account, '/reward_rules', { name: 'Add-on', ...rule });
    await expectTold(every(20, '.'), every(25, ', unless a special reward applies.'));
    await patch(`/campaigns/${started.campaign.id}`, { commission_percent: 30 });
    await expectTold(every(25, ', unless a special reward applies.'), every(30, ', unless a special reward applies.'));
  });

  it('that is taken back, of other settings, or before somebody joined is not told', async () => {
    const { started, email } = await affiliate({ commission_percent: 20 });
    const path = `/campaigns/${started.campaign.id}`;
    await patch(path, { commission_percent: 25 });
    service.clock.advance(1, 'minutes');
    await patch(path, { commission_percent: 20 });
    service.clock.advance(2, 'hours');
    await patch(path, { days_until_commissions_are_due: 40 });
    service.clock.advance(2, 'hours');
    expect(await told(email)).toEqual([]);
    await patch(path, { commission_percent: 30 });
    service.clock.advance(1, 'minutes');
    const late = `${unique('grace')}@partner.example`;
    await must(account, '/affiliates', { email: late, campaign_id: started.campaign.id });
    await PortalVisitor.enter(service, account, late);
    service.clock.advance(2, 'hours');
    expect(await told(late)).toEqual([]);
    expect(await told(email)).toHaveLength(1);
  });

  it('of a reward rule is told to those whom it concerns', async () => {
    const { started, email } = await affiliate();
    const other = `${unique('grace')}@partner.example`;
    await must(account, '/affiliates', { email: other, campaign_id: started.campaign.id });
    await PortalVisitor.enter(service, account, other);
    service.clock.advance(1, 'minutes');
    await must(account, '/reward_rules', {
      campaign_id: started.campaign.id,
      affiliate_id: started.affiliate.id,
      name: 'Ada',
      pay: { percent: 50 },
    });
    service.clock.advance(2, 'hours');
    expect(await told(other)).toEqual([]);
    const [mail] = await told(email);
    expect(mail!.text).not.toContain('Before:');
    expect(mail!.text).toContain('Your portal lists all rewards.');
  });
});
