import { purgeRows, remindOfPayoutDetails, tellOfTerms, writeDigests } from '@affiliate/core';
import { beforeAll, describe, expect, it } from 'vitest';
import { dieAfterCommit, interruptAfter } from '../support/interrupt.ts';
import { sendAllMail } from '../support/mailbox.ts';
import { onServer } from '../support/postgres.ts';
import { type Program, must, program, refer, sell } from '../support/program.ts';
import { refuseRows } from '../support/refused-rows.ts';
import { type TestAccount } from '../support/service.ts';
import { useService } from '../support/suite.ts';
import { PortalVisitor } from './people.ts';

const NEVER = () => false;

const service = useService();
let account: TestAccount;
let started: Program;
let ada: PortalVisitor;

beforeAll(async () => {
  // Starts on a Tuesday, because weekly emails depend on the weekday.
  while (service.clock.now().getUTCDay() !== 2) service.clock.advance(1, 'days');
  account = await service.createAccount();
  started = await program(account, { days_until_commissions_are_due: 0 }, { email: 'ada@partner.example' });
  ada = await PortalVisitor.enter(service, account, 'ada@partner.example');
  await service.services.database.kysely
    .updateTable('account')
    .set({ time_zone: 'America/New_York' })
    .where('id', '=', account.id)
    .execute();
});

async function sale(): Promise<void> {
  const { id: referral_id } = await refer(account, started);
  await sell(account, { referral_id });
}

/** Sends all email. Returns the affiliate's emails with this subject. */
async function mailsAbout(subject: RegExp) {
  await sendAllMail(service.services);
  return service.mailbox.takeAll('ada@partner.example', subject);
}
const digests = () => mailsAbout(/^You earned/);

/** Moves the clock forward until it is this time in New York. */
function untilNewYork(time: string): void {
  const clocks = new Intl.DateTimeFormat('en-GB', { timeZone: 'America/New_York', hour: '2-digit', minute: '2-digit' });
  do service.clock.advance(1, 'minutes');
  while (clocks.format(service.clock.now()) !== time);
}

/** Makes notices to an account's affiliates fail when they are written. */
function failNotices({ id }: TestAccount): Promise<void> {
  return onServer(
    service.databaseUrl,
    `create function fail() returns trigger language plpgsql as $$ begin raise 'broken'; end $$;
     create trigger fail before insert on affiliate_notice for each row when (new.account_id = '${id}') execute function fail()`,
  );
}
const repairNotices = () => onServer(service.databaseUrl, 'drop function fail cascade');

describe('the email about earned commissions', () => {
  it('is sent once per day in the account’s time zone, despite crashes and concurrent processes', async () => {
    await ada.mutate('portal.updateProfile', { digest: 'daily' });
    untilNewYork('00:10');
    await writeDigests(service.services, NEVER);
    await sale();
    untilNewYork('23:58');
    await sale();
    expect(await writeDigests(service.services, NEVER)).toBe(0);
    untilNewYork('00:01');
    expect(await writeDigests(service.services, NEVER)).toBe(0);
    await sale();
    untilNewYork('00:03');
    await interruptAfter(service.services, 0, async () => {
      await expect(writeDigests(service.services, NEVER)).rejects.toThrow('connection was lost');
    });
    await dieAfterCommit(service.services, 1, async () => {
      await expect(writeDigests(service.services, NEVER)).rejects.toThrow('process died');
    });
    await Promise.all([writeDigests(service.services, NEVER), writeDigests(service.services, NEVER)]);
    const mails = await digests();
    expect(mails).toHaveLength(1);
    expect(mails[0]!.subject).toBe('You earned US$20.00 with Test account');
    expect(mails[0]!.text).toContain('in 2 commissions');
  });

  it('covers days without an email, and a weekly email comes on Monday and begins where the last daily email ended', async () => {
    service.clock.advance(2, 'days');
    await sale();
    await ada.mutate('portal.updateProfile', { digest: 'weekly' });
    for (let day = 0; day < 8; day += 1) {
      service.clock.advance(1, 'days');
      await writeDigests(service.services, NEVER);
    }
    expect((await digests()).map(({ text }) => /earned .* in \d commissions?/.exec(text)?.[0])).toEqual([
      'earned US$20.00 in 2 commissions',
    ]);
  });

  it('neither omits nor repeats a commission when the affiliate chooses daily email, or the time zone changes', async () => {
    const commissions = async () =>
      (await digests()).map(({ text }) => Number(/in (\d) commission/.exec(text)![1])).reduce((all, each) => all + each, 0);
    const setZone = (time_zone: string) =>
      service.services.database.kysely.updateTable('account').set({ time_zone }).where('id', '=', account.id).execute();
    // Starts on a Monday and makes sales on two days. With weekly email, these sales are not emailed yet.
    while (service.clock.now().getUTCDay() !== 1) service.clock.advance(1, 'days');
    await writeDigests(service.services, NEVER);
    await digests();
    for (let day = 0; day < 2; day += 1) {
      await sale();
      service.clock.advance(1, 'days');
    }
    await writeDigests(service.services, NEVER);
    expect(await commissions()).toBe(0);
    await ada.mutate('portal.updateProfile', { digest: 'daily' });
    service.clock.advance(1, 'days');
    await writeDigests(service.services, NEVER);
    expect(await commissions()).toBe(2);
    for (const zone of ['Asia/Tokyo', 'America/New_York']) {
      await sale();
      untilNewYork('00:03');
      await writeDigests(service.services, NEVER);
      await setZone(zone);
      for (let hour = 0; hour < 60; hour += 6) {
        service.clock.advance(6, 'hours');
        if (hour % 12 === 0) await sale();
        await writeDigests(service.services, NEVER);
      }
      service.clock.advance(3, 'days');
      await writeDigests(service.services, NEVER);
      expect({ zone, commissions: await commissions() }).toEqual({ zone, commissions: 6 });
    }
    await ada.mutate('portal.updateProfile', { digest: 'weekly' });
  });

  it('does not repeat commissions after weeks without a worker, even if the worker purges first', async () => {
    while (service.clock.now().getUTCDay() !== 2) service.clock.advance(1, 'days');
    await writeDigests(service.services, NEVER);
    await ada.mutate('portal.updateProfile', { digest: 'daily' });
    await digests();
    await sale();
    service.clock.advance(1, 'days');
    await writeDigests(service.services, NEVER);
    expect(await digests()).toHaveLength(1);
    service.clock.advance(40, 'days');
    await purgeRows(service.services, 'affiliate_notice');
    await writeDigests(service.services, NEVER);
    expect(await digests()).toEqual([]);
    expect(await purgeRows(service.services, 'affiliate_notice')).toBeGreaterThan(0);
    await ada.mutate('portal.updateProfile', { digest: 'weekly' });
  });

  it('is sent even if another account has a time zone that the database does not know', async () => {
    const other = await service.createAccount();
    const setZone = (time_zone: string) =>
      service.services.database.kysely.updateTable('account').set({ time_zone }).where('id', '=', other.id).execute();
    const zone = () =>
      service.services.database.kysely.selectFrom('account').select('time_zone').where('id', '=', other.id).executeTakeFirst();
    // A new database server may know fewer time zone names than the server that it replaces.
    for (const [unknown, replacement] of [
      ['US/Pacific-New', 'America/Los_Angeles'],
      ['Atlantis/Centre', 'UTC'],
    ] as const) {
      await setZone(unknown);
      await sale();
      service.clock.advance(8, 'days');
      await writeDigests(service.services, NEVER);
      expect(await digests()).toHaveLength(1);
      expect(await zone()).toEqual({ time_zone: replacement });
    }
  });

  it('is sent even if the emails of another account fail and are retried', async () => {
    const other = await service.createAccount();
    const theirs = await program(other, { days_until_commissions_are_due: 0 }, { email: 'bob@partner.example' });
    const bob = await PortalVisitor.enter(service, other, 'bob@partner.example');
    await bob.mutate('portal.updateProfile', { digest: 'weekly' });
    const sales = async () => {
      await sale();
      const { id: referral_id } = await refer(other, theirs);
      await sell(other, { referral_id });
      service.clock.advance(8, 'days');
    };
    for (const broken of [account, other]) {
      await sales();
      // First the affiliate who gets an email, then the affiliate whose email fails.
      const addresses = broken === other ? ['ada', 'bob'] : ['bob', 'ada'];
      const told = async () => {
        await sendAllMail(service.services);
        return addresses.map((name) => service.mailbox.takeAll(`${name}@partner.example`, /^You earned/).length);
      };
      await failNotices(broken);
      await expect(writeDigests(service.services, NEVER)).rejects.toThrow('broken');
      expect(await told()).toEqual([1, 0]);
      await repairNotices();
      expect(await writeDigests(service.services, NEVER)).toBe(1);
      expect(await told()).toEqual([0, 1]);
    }
  });

  it('does not come for a fraction that is carried into the next payout', async () => {
    const own = await service.createAccount();
    const email = 'cai@partner.example';
    const of = await program(own, { days_until_commissions_are_due: 0 }, { email, walleta_email: 'cai@pay.example' });
    const cai = await PortalVisitor.enter(service, own, email);
    await cai.mutate('portal.updateProfile', { digest: 'each' });
    const { id: referral_id } = await refer(own, of);
    await sell(own, { referral_id, amount_cents: 1_234_500, currency: 'HUF' });
    await must(own, '/payout_exports', { export_format: 'walleta' });
    service.clock.advance(10, 'minutes');
    for (let time = 0; time < 2; time += 1) await writeDigests(service.services, NEVER);
    await sendAllMail(service.services);
    const told = service.mailbox.takeAll(email, /^You earned/);
    expect(told.map(({ subject }) => /[\d.,]+/.exec(subject)![0])).toEqual(['1,234.50']);
  });

  it('comes for each commission if the affiliate wants that, and no commission is in two emails or in none', async () => {
    while (service.clock.now().getUTCDay() !== 2) service.clock.advance(1, 'days');
    await writeDigests(service.services, NEVER);
    await digests();
    const run = async () => {
      service.clock.advance(10, 'minutes');
      await Promise.all([writeDigests(service.services, NEVER), writeDigests(service.services, NEVER)]);
    };
    await sale();
    await ada.mutate('portal.updateProfile', { digest: 'each' });
    await run();
    const [first, ...others] = await digests();
    expect([first!.subject, others]).toEqual(['You earned US$10.00 with Test account', []]);
    expect(first!.text).toContain('you earned US$10.00. ');
    expect(first!.text).toContain('The campaign pays 10% of US$100.00, rounded to US$10.00.');
    expect(first!.unsubscribeUrl).toContain('/unsubscribe?');

    for (let at = 0; at < 2; at += 1) await sale();
    // Neither test mode nor an import tells of a commission.
    await sell(account, { referral_id: (await refer(account, started)).id });
    const { kysely } = service.services.database;
    const [hidden] = await kysely.selectFrom('commission').select('id').orderBy('id', 'desc').limit(1).execute();
    await kysely.updateTable('commission').set({ livemode: false }).where('id', '=', hidden!.id).execute();
    await interruptAfter(service.services, 0, async () => {
      service.clock.advance(10, 'minutes');
      await expect(writeDigests(service.services, NEVER)).rejects.toThrow('connection was lost');
    });
    for (let time = 0; time < 2; time += 1) await run();
    expect(await digests()).toHaveLength(2);

    await sale();
    await run();
    await sale();
    await ada.mutate('portal.updateProfile', { digest: 'daily' });
    service.clock.advance(1, 'days');
    await writeDigests(service.services, NEVER);
    const told = await digests();
    expect(told.map(({ text }) => /earned US\$10\.00( in \d commission)?/.exec(text)![0])).toEqual([
      'earned US$10.00',
      'earned US$10.00 in 1 commission',
    ]);
    await kysely.updateTable('commission').set({ livemode: true }).where('id', '=', hidden!.id).execute();
    await ada.mutate('portal.updateProfile', { digest: 'weekly' });
  });
});

it('an affiliate without payout details is asked for the details once per payout', async () => {
  for (let time = 0; time < 2; time += 1) await remindOfPayoutDetails(service.services, NEVER);
  const mails = await mailsAbout(/cannot pay you yet/);
  const { data } = await account.client.payouts.list.query({ affiliate_id: started.affiliate.id });
  expect(data).toHaveLength(1);
  const { id, amount_cents } = data[0]!;
  expect(mails.map(({ text }) => /owes you US\$([\d.]+)/.exec(text)?.[1])).toEqual([(amount_cents / 100).toFixed(2)]);
  await account.client.payouts.pay.mutate({ id });
  expect(await remindOfPayoutDetails(service.services, NEVER)).toBe(0);
  await sale();
  expect(await remindOfPayoutDetails(service.services, NEVER)).toBe(1);
});

it('the affiliate of a returned payout gets the reason by email, and sees it in the portal', async () => {
  const { data } = await account.client.payouts.list.query({ affiliate_id: started.affiliate.id, state: ['due', 'pending'] });
  const { id, amount_cents } = data[0]!;
  await account.client.payouts.pay.mutate({ id });
  for (let time = 0; time < 2; time += 1) await account.client.payouts.return.mutate({ id, reason: 'Account <closed>' });
  const [mail, ...others] = await mailsAbout(/came back/);
  expect(others).toEqual([]);
  expect(mail!.text).toContain(`US$${(amount_cents / 100).toFixed(2)}`);
  expect(mail!.text).toContain('Account <closed>');
  const own = await ada.query('portal.listPayouts', { page: 1 });
  expect(JSON.stringify(own)).toContain('"return_reason":"Account <closed>"');
});

it('new terms are mailed once to affiliates who have not accepted them', async () => {
  for (const terms of ['First.', 'Second.']) {
    service.clock.advance(1, 'minutes');
    await account.client.portalSettings.update.mutate({ terms });
    for (let time = 0; time < 2; time += 1) await tellOfTerms(service.services, NEVER);
    expect(await mailsAbout(/terms of Test account have changed/)).toHaveLength(1);
  }
  await account.client.portalSettings.update.mutate({ terms: 'Third.' });
  await ada.mutate('portal.acceptTerms', { version: 3 });
  expect(await tellOfTerms(service.services, NEVER)).toBe(0);
});

it('the email about new terms says from when they apply, and what changes', async () => {
  const other = await service.createAccount();
  await program(other, {}, { email: 'zoe@partner.example' });
  const publish = async (terms: string, more: { terms_summary?: string; terms_apply_from?: string } = {}) => {
    service.clock.advance(1, 'minutes');
    await other.client.portalSettings.update.mutate({ terms, ...more });
    await tellOfTerms(service.services, NEVER);
    await sendAllMail(service.services);
    const [mail] = service.mailbox.takeAll('zoe@partner.example', /terms of Test account have changed/);
    return mail!.text.split('\n\n').slice(0, 3);
  };
  const day = (at: Date) => new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(at);
  const opening = (at: Date) => `Test account has published new terms of its affiliate program. They apply from ${day(at)}.`;
  const [first, asks] = await publish('Be kind.\n\nNo ads.');
  expect([first, asks]).toEqual([opening(service.clock.now()), expect.stringMatching(/^Read and accept them in your portal\./)]);
  expect(await publish('Be kind.\n\nNo ads on search engines.\n\nBe quick.')).toEqual([
    opening(service.clock.now()),
    'New or changed: “No ads on search engines.” “Be quick.” 1 more paragraph has changed.',
    asks,
  ]);
  const later = new Date(service.clock.now().getTime() + 30 * 86_400_000);
  expect(await publish('Be kind.', { terms_summary: 'Ads are fine.', terms_apply_from: later.toISOString() })).toEqual([
    opening(later),
    'What changes: Ads are fine.',
    asks,
  ]);
  expect((await publish(`Be kind.\n${'x'.repeat(400)}`))[1]).toBe(`New or changed: “${'x'.repeat(300)}…”`);
  expect((await publish('Be kind.'))[1]).toBe(`No longer in them: “${'x'.repeat(300)}…”`);
});

it('new terms are mailed even if the emails of another account fail and are retried', async () => {
  const other = await service.createAccount();
  await program(other, {}, { email: 'eve@partner.example' });
  await PortalVisitor.enter(service, other, 'eve@partner.example');
  service.clock.advance(1, 'minutes');
  for (const { client } of [account, other]) await client.portalSettings.update.mutate({ terms: 'New.' });
  const told = async () => {
    await sendAllMail(service.services);
    return ['ada', 'eve'].map((name) => service.mailbox.takeAll(`${name}@partner.example`, /have changed/).length);
  };
  await failNotices(account);
  await expect(tellOfTerms(service.services, NEVER)).rejects.toThrow('broken');
  expect(await told()).toEqual([0, 1]);
  await repairNotices();
  expect(await tellOfTerms(service.services, NEVER)).toBe(1);
  expect(await told()).toEqual([1, 0]);
});

it('emails to an affiliate that cannot be written hold up no emails to others of the account', async () => {
  const other = await service.createAccount();
  const friends = await program(other, { days_until_commissions_are_due: 0 });
  const names = ['kim', 'lee', 'sam'];
  const affiliates: { id: string }[] = [];
  for (const name of names) {
    const email = `${name}@partner.example`;
    const affiliate = await must<{ id: string }>(other, '/affiliates', { email, campaign_id: friends.campaign.id });
    affiliates.push(affiliate);
    await (await PortalVisitor.enter(service, other, email)).mutate('portal.updateProfile', { digest: 'weekly' });
  }
  const told = async () => {
    await sendAllMail(service.services);
    return names.filter(
      (name) => service.mailbox.takeAll(`${name}@partner.example`, /^You earned|have changed|cannot pay you yet/).length > 0,
    );
  };
  service.clock.advance(1, 'minutes');
  await other.client.portalSettings.update.mutate({ terms: 'New.' });
  for (const { id: affiliate_id } of affiliates) {
    const referral = await must<{ id: string }>(other, '/referrals', { affiliate_id, campaign_id: friends.campaign.id });
    await sell(other, { referral_id: referral.id });
  }
  await told();
  for (const write of [tellOfTerms, remindOfPayoutDetails, writeDigests]) {
    const when = `new.affiliate_id = '${affiliates[1]!.id}'`;
    const lift = await refuseRows(service.databaseUrl, { table: 'affiliate_notice', event: 'insert', when });
    if (write === writeDigests) service.clock.advance(8, 'days');
    await expect(write(service.services, NEVER)).rejects.toThrow('broken');
    expect(await told()).toEqual(['kim', 'sam']);
    await lift();
    expect(await write(service.services, NEVER)).toBe(1);
    expect(await told()).toEqual(['lee']);
  }
});

it('the progress of an account that cannot be stored holds up no digests of others', async () => {
  const other = await service.createAccount();
  await ada.mutate('portal.updateProfile', { digest: 'weekly' });
  await sale();
  await digests();
  service.clock.advance(8, 'days');
  const when = `new.account_id = '${other.id}'`;
  await refuseRows(service.databaseUrl, { table: 'digest_progress', event: 'insert', when });
  await expect(writeDigests(service.services, NEVER)).rejects.toThrow('broken');
  expect(await digests()).toHaveLength(1);
});
