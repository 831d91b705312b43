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

/** Returns the invitation of the person, as the list and the record show it. */
async function invitation(): Promise<Fields & { id: string }> {
  const { body } = await account.api.get<{ data: (Fields & { id: string })[] }>('/invitations', { email });
  const [listed] = body.data;
  expect((await account.api.get(`/invitations/${listed!.id}`)).body).toEqual(listed);
  return listed!;
}
const invitationProblem = async () => (await invitation())['email_problem'];

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
      recipients: { everyone: 1, signed_in: 0 },
    });
    service.clock.advance(31, 'days');
    expect((await blockedAddresses()).body.data).toHaveLength(1);
  });
});

describe('a blocked address', () => {
  const unblock = (of: TestAccount, address: string) =>
    send(`${service.url}/api/settings/v1/blocked_addresses/unblock`, 'POST', {
      headers: of.api.headers,
      body: { email: address },
    });

  it('that did not exist can be unblocked by hand, until it is reported again', async () => {
    await invite();
    expect(await received()).toBe(1);
    expect(await invitationProblem()).toBe(null);
    await report({ RecordType: 'Bounce', Type: 'HardBounce', Email: email });
    expect(await invitationProblem()).toBe('no_such_recipient');
    await account.api.post(`/invitations/${(await invitation()).id}/resend`);
    expect(await received()).toBe(0);
    expect(await unblock(account, email.toUpperCase())).toMatchObject({ status: 200, body: { data: [] } });
    expect(await invitationProblem()).toBe(null);
    const other = await service.createAccount();
    await invite(other);
    expect(await received()).toBe(1);
    service.clock.advance(1, 'minutes');
    await report({ RecordType: 'Bounce', Type: 'HardBounce', Email: email });
    expect((await blockedAddresses()).body.data).toHaveLength(1);
    await invite(await service.createAccount());
    expect(await received()).toBe(0);
  });

  it('of a person who complained is unblocked only for the account, until the next complaint', async () => {
    const [other, { affiliate }] = [await service.createAccount(), await program(account)];
    email = affiliate.email;
    await report({ email, reason: 'complaint' });
    service.clock.advance(1, 'minutes');
    expect((await unblock(account, email)).status).toBe(200);
    await invite(other);
    expect(await received()).toBe(0);
    const invitation = await account.api.post<{ id: string }>('/invitations', { kind: 'member', email });
    expect(await received()).toBe(1);
    service.clock.advance(1, 'minutes');
    await report({ email, reason: 'complaint' });
    expect((await blockedAddresses()).body.data).toHaveLength(1);
    await account.api.patch(`/invitations/${invitation.body.id}`, { status: 'revoked' });
    await invite();
    expect(await received()).toBe(0);
  });

  it('of other accounts, or that is not blocked, cannot be unblocked', async () => {
    await report({ email, reason: 'complaint' });
    for (const address of [email, account.ownerEmail]) {
      const { status, body } = await unblock(account, address);
      expect([status, body]).toMatchObject([422, { details: [{ path: 'email', code: 'not_found' }] }]);
    }
  });

  it('is unblocked by members and keys that may, which the audit log says', async () => {
    await report({ email, reason: 'complaint' });
    await invite();
    const reader = await account.apiWith({ 'v1.invitations.read': true, 'v1.affiliates.read': true });
    const refused = await send(`${service.url}/api/settings/v1/blocked_addresses/unblock`, 'POST', {
      headers: reader.headers,
      body: { email },
    });
    expect(refused.status).toBe(403);
    expect((await unblock(account, email)).status).toBe(200);
    const log = await send<{ data: Fields[] }>(`${service.url}/api/settings/v1/audit_log`, 'GET', {
      headers: account.api.headers,
    });
    expect(log.body.data[0]).toMatchObject({
      tool: 'email_texts',
      action: 'unblock',
      arguments: { email },
      outcome: 'succeeded',
    });
  });

  it('is unblocked at most 20 times a day by an account', async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 21; i += 1) statuses.push((await unblock(account, email)).status);
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 422), 429]);
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
