/** The mail provider reports complaints and addresses that do not exist (docs/rules/platform.md#blocked-addresses). */
import { sendDueMail } from '@affiliate/core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Browser } from '../support/browser.ts';
import { type Fields, send } from '../support/http.ts';
import { sendAllMail } from '../support/mailbox.ts';
import { program, unique } from '../support/program.ts';
import { type TestAccount, type TestService, startService } from '../support/service.ts';

const TOKEN = 'token-of-the-mail-provider';
let service: TestService;
let account: TestAccount;
let email: string;
beforeAll(async () => {
  service = await startService({
    mailReportsToken: TOKEN,
    rateLimits: { caller: 1e9, publicAddress: 1e9, failedCredentials: 5 },
  });
});
afterAll(() => service.stop());
beforeEach(async () => {
  account = await service.createAccount();
  email = `${unique('person')}@example.com`;
});

const report = (body: unknown, token = TOKEN) => send(`${service.url}/mail/reports/${token}`, 'POST', { body: body as Fields });
const blockedAddresses = () =>
  send<{ data: unknown[] }>(`${service.url}/api/settings/v1/blocked_addresses`, 'GET', { headers: account.api.headers });
/** Invites the person to an account. */
async function invite(to = account): Promise<void> {
  expect((await to.api.post('/invitations', { kind: 'member', email })).status).toBe(201);
}

const received = async () => {
  await sendAllMail(service.services);
  return service.mailbox.takeAll(email, /./).length;
};

describe('a complaint', () => {
  it('stops all emails to the address for a year, also those that wait', async () => {
    service.mailbox.refuseNext = new Error('busy');
    await invite();
    await sendDueMail(service.services);
    expect(await report({ email: email.toUpperCase(), reason: 'complaint' })).toMatchObject({
      status: 200,
      body: { recorded: 1 },
    });
    service.clock.advance(1, 'hours');
    await invite(await service.createAccount());
    expect(await received()).toBe(0);
    service.clock.advance(366, 'days');
    await invite(await service.createAccount());
    expect(await received()).toBe(1);
  });

  it('does not stop emails that the person asks for', async () => {
    await report({ email: account.ownerEmail, reason: 'complaint' });
    const browser = new Browser(service.url, service.services.publicUrl);
    await browser.send('POST', '/auth/request-sign-in-link', { body: { email: account.ownerEmail } });
    expect(await service.mailbox.take(account.ownerEmail, /./)).toMatchObject({ to: account.ownerEmail });
  });
});

describe('an address that does not exist', () => {
  it('gets no emails for a month, and an account sees which of its addresses these are', async () => {
    const { affiliate } = await program(account);
    await report([
      { email: affiliate.email, reason: 'complaint' },
      { email: 'stranger@example.com', reason: 'complaint' },
    ]);
    service.clock.advance(1, 'minutes');
    await report({ RecordType: 'Bounce', Type: 'HardBounce', Email: email });
    await invite();
    expect(await received()).toBe(0);
    const blocked = await blockedAddresses();
    expect(blocked.body).toEqual({
      data: [
        { email, reason: 'no_such_recipient', blocked_at: expect.any(String), expires_at: expect.any(String) },
        { email: affiliate.email, reason: 'complaint', blocked_at: expect.any(String), expires_at: expect.any(String) },
      ],
    });
    service.clock.advance(31, 'days');
    expect((await blockedAddresses()).body.data).toHaveLength(1);
  });
});

describe('the address for reports', () => {
  it('needs its token, and refuses an address that guesses', async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 7; i += 1) statuses.push((await report({ email, reason: 'complaint' }, `wrong-${i}`)).status);
    expect(statuses.slice(0, 5)).toEqual([401, 401, 401, 401, 401]);
    expect(statuses.at(-1)).toBe(429);
    service.clock.advance(61, 'seconds');
    await invite();
    expect(await received()).toBe(1);
  });

  it('does not exist without a token', async () => {
    const without = await startService();
    try {
      expect((await send(`${without.url}/mail/reports/undefined`, 'POST', { body: {} })).status).toBe(404);
    } finally {
      await without.stop();
    }
  });
});
