import { MailFailure, sendDueMail } from '@affiliate/core';
import { describe, expect, it } from 'vitest';
import { TestMailbox, sendAllMail } from '../support/mailbox.ts';
import { program } from '../support/program.ts';
import { useService, useAccount } from '../support/suite.ts';

const service = useService({ invitationsPerHour: 50 });
const account = useAccount(service);

const invite = (email: string, of = account) => of.api.post<{ id: string }>('/invitations', { kind: 'member', email });
const DAY_SECONDS = 86_400;

describe('invitations', () => {
  it('of one account are limited per hour, more for older accounts', async () => {
    const send = async (count: number) => {
      const statuses: number[] = [];
      for (let i = 0; i < count; i += 1) statuses.push((await invite(`${count}-${i}@example.com`)).status);
      return statuses.filter((status) => status === 201).length;
    };
    expect(await send(12)).toBe(10);
    const refused = await invite('one-more@example.com');
    expect(refused).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED', details: { retry_after: 3_600 } } });
    expect(refused.headers.get('retry-after')).toBe('3600');
    expect((await invite('free@example.com', await service.createAccount())).status).toBe(201);
    service.clock.advance(1, 'hours');
    expect(await send(11)).toBe(10);
    service.clock.advance(40, 'days');
    expect(await send(55)).toBe(50);
  });

  it('to one person are limited per day, even if each is deleted', async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 6; i += 1) {
      const { status, body } = await invite('Ada@example.com');
      statuses.push(status);
      if (status === 201) await account.api.patch(`/invitations/${body.id}`, { status: 'revoked' });
    }
    expect(statuses).toEqual([201, 201, 201, 201, 201, 429]);
    const refused = await invite('ada@EXAMPLE.com');
    expect(refused).toMatchObject({ status: 429, body: { details: { retry_after: DAY_SECONDS } } });
    expect((await invite('grace@example.com')).status).toBe(201);
    service.clock.advance(1, 'days');
    expect((await invite('ada@example.com')).status).toBe(201);
  });
});

describe('news to one person', () => {
  /** Writes 20 emails about changes of one payout address to the other one. */
  async function writeNews(email: string): Promise<void> {
    const { affiliate } = await program(account);
    await account.api.patch(`/affiliates/${affiliate.id}`, { walletb_email: email });
    const change = (i: number) => account.api.patch(`/affiliates/${affiliate.id}`, { walleta_email: `wallet-${i}@example.com` });
    for (let i = 0; i < 20; i += 1) expect((await change(i)).status).toBe(200);
    await sendDueMail(service.services);
  }

  it('are joined into one email beyond a number per day', async () => {
    const email = 'wise@example.com';
    await writeNews(email);
    expect(service.mailbox.takeAll(email, /payout details/)).toHaveLength(5);
    service.clock.advance(1, 'days');
    await sendAllMail(service.services);
    const [mail, ...others] = service.mailbox.takeAll(email, /payout details/);
    expect(others).toEqual([]);
    expect(mail!.subject).toMatch(/ \(10\)$/);
    expect(mail!.text.match(/has changed the address/g)).toHaveLength(10);
    expect(mail!.html.match(/has changed the address/g)).toHaveLength(10);
    expect(mail!.html.match(/<\/body>/g)).toHaveLength(1);
  });

  it('are joined even if several processes send, and if sending fails', async () => {
    const email = 'often@example.com';
    await writeNews(email);
    service.mailbox.takeAll(email, /./);
    service.clock.advance(1, 'days');
    const processes = Array.from({ length: 4 }, () => ({ ...service.services, mailer: new TestMailbox() }));
    for (const { mailer } of processes) mailer.refuseNext = new Error('connection lost');
    // Each process fails at most once.
    for (let i = 0; i <= processes.length; i += 1) {
      await Promise.all(processes.map(sendDueMail));
      service.clock.advance(2, 'hours');
    }
    const mails = processes.flatMap(({ mailer }) => mailer.takeAll(email, /payout details/));
    expect(mails.map(({ subject }) => subject)).toEqual([expect.stringMatching(/ \(10\)$/)]);
  });
});

describe('an address that does not exist', () => {
  it('gets no emails for a month', async () => {
    service.mailbox.refuseNext = new MailFailure('no_such_recipient', new Error('550 5.1.1 No such user'));
    await invite('nobody@example.com');
    await sendAllMail(service.services);
    expect(service.mailbox.takeAll('nobody@example.com', /./)).toEqual([]);
    const { body } = await account.api.get<{ data: object[] }>('/invitations');
    expect(body.data).toContainEqual(
      expect.objectContaining({ email: 'nobody@example.com', status: 'pending', email_problem: 'no_such_recipient' }),
    );
    await invite('nobody@example.com', await service.createAccount());
    await sendAllMail(service.services);
    expect(service.mailbox.takeAll('nobody@example.com', /./)).toEqual([]);
    service.clock.advance(31, 'days');
    await invite('nobody@example.com', await service.createAccount());
    await service.mailbox.take('nobody@example.com', /./);
  });
});
