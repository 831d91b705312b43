import { type Services, answerAuth, mailRequestedLinks } from '@affiliate/core';
import { beforeEach, describe, expect, it } from 'vitest';
import { Browser } from '../support/browser.ts';
import { send } from '../support/http.ts';
import { useService, useAccount } from '../support/suite.ts';

const service = useService();
const account = useAccount(service);
let browser: Browser;

beforeEach(async () => {
  browser = new Browser(service.url, service.services.publicUrl);
});

const signIn = () => browser.signIn(account.ownerEmail, account.ownerPassword);

describe('changing the password', () => {
  const change = (currentPassword: string, more: object = {}) =>
    browser.send('POST', '/auth/change-password', { body: { currentPassword, newPassword: 'another password', ...more } });

  it('requires the current password, and ends all other sessions', async () => {
    const other = new Browser(service.url, service.services.publicUrl);
    await other.signIn(account.ownerEmail, account.ownerPassword);
    await signIn();
    const former = browser.cookie;
    expect((await change('not the password')).status).toBe(422);
    expect((await other.query('session.get')).status).toBe(200);
    expect((await change(account.ownerPassword)).status).toBe(200);
    expect((await browser.query('session.get')).status).toBe(200);
    expect((await other.query('session.get')).status).toBe(401);
    expect((await send(`${service.url}/trpc/session.get`, 'GET', { headers: { Cookie: former } })).status).toBe(401);
  });

  it('cannot leave other sessions open', async () => {
    await signIn();
    const refused = { status: 422, body: { details: [{ path: 'revokeOtherSessions' }] } };
    expect(await change(account.ownerPassword, { revokeOtherSessions: false })).toMatchObject(refused);
    expect((await change(account.ownerPassword, { revokeOtherSessions: true })).status).toBe(200);
  });

  it('ends links for a password reset that were mailed before', async () => {
    await signIn();
    await browser.send('POST', '/auth/request-password-reset', { body: { email: account.ownerEmail } });
    const { text } = await service.mailbox.take(account.ownerEmail, /password/);
    expect((await change(account.ownerPassword)).status).toBe(200);
    const body = { token: /#token=(\S+)/.exec(text)![1]!, newPassword: 'a third password' };
    expect(await browser.send('POST', '/auth/reset-password', { body })).toMatchObject({
      status: 422,
      body: { details: [{ path: 'token' }] },
    });
  });
});

describe('a forgotten password', () => {
  async function requestReset(email: string): Promise<number> {
    return (await browser.send('POST', '/auth/request-password-reset', { body: { email } })).status;
  }
  async function tokenFromMail(): Promise<string> {
    const mail = await service.mailbox.take(account.ownerEmail, /password/);
    return /#token=(\S+)/.exec(mail.text)![1]!;
  }
  const reset = (token: string, newPassword: string) =>
    browser.send('POST', '/auth/reset-password', { body: { token, newPassword } });

  it('can be replaced once with the mailed link, which ends every session', async () => {
    await signIn();
    expect(await requestReset(account.ownerEmail)).toBe(200);
    const token = await tokenFromMail();
    expect(await reset(token, 'short')).toMatchObject({ status: 422, body: { details: [{ path: 'newPassword' }] } });
    expect((await reset(token, 'a new password')).status).toBe(200);
    expect((await browser.send('GET', '/api/v1/campaigns')).status).toBe(401);
    expect(await reset(token, 'another password')).toMatchObject({ status: 422, body: { details: [{ path: 'token' }] } });
    expect((await signIn()).status).toBe(401);
    expect((await browser.signIn(account.ownerEmail, 'a new password')).status).toBe(200);
  });

  it('can be replaced only with the newest mailed link', async () => {
    await requestReset(account.ownerEmail);
    const earlier = await tokenFromMail();
    await requestReset(account.ownerEmail);
    const later = await tokenFromMail();
    expect((await reset(later, 'a new password')).status).toBe(200);
    expect(await reset(earlier, 'another password')).toMatchObject({ status: 422, body: { details: [{ path: 'token' }] } });
  });

  it('gets the same response for an unknown address, but no email', async () => {
    const request = (email: string) => browser.send('POST', '/auth/request-password-reset', { body: { email } });
    const unknown = await request('nobody@example.com');
    const known = await request(account.ownerEmail);
    expect(unknown.status).toBe(200);
    expect(known).toMatchObject({ status: 200, body: unknown.body });
    // Emails are sent in order, so an email to the unknown address would have been sent before this one.
    await tokenFromMail();
    expect(service.mailbox.mails).toHaveLength(0);
  });

  it('is answered after the same statements for known and unknown addresses', async () => {
    const statements: string[] = [];
    const { database } = service.services;
    const kysely = database.kysely.withPlugin({
      transformQuery: ({ node, queryId }) => {
        statements.push(database.kysely.getExecutor().compileQuery(node, queryId).sql);
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const services: Services = { ...service.services, database: Object.create(database, { kysely: { value: kysely } }) };
    const until = async (email: string) => {
      statements.length = 0;
      await answerAuth(services, {
        method: 'POST',
        path: '/request-password-reset',
        body: { email },
        cookie: undefined,
        userAgent: undefined,
        language: undefined,
        knownBrowser: undefined,
        clientAddress: '192.0.2.9',
        requestId: 'request',
      });
      return [...statements];
    };
    const known = await until(account.ownerEmail);
    await tokenFromMail();
    expect(known.some((text) => text.includes('password_reset_request'))).toBe(true);
    expect(await until('nobody@example.com')).toEqual(known);
    await expect.poll(() => waiting(database)).toBe(0);
  });

  it('gets its email from the worker if the process that answered died', async () => {
    const { kysely } = service.services.database;
    const at = service.clock.instant();
    const row = { id: 'prr_1', email: account.ownerEmail, lease_until: at, expires_at: '2100-01-01T00:00:00.000Z' };
    await kysely.insertInto('password_reset_request').values(row).execute();
    await Promise.all([mailRequestedLinks(service.services), mailRequestedLinks(service.services)]);
    expect((await reset(await tokenFromMail(), 'a new password')).status).toBe(200);
    expect(service.mailbox.mails).toHaveLength(0);
    expect(await waiting(service.services.database)).toBe(0);
  });

  async function waiting({ kysely }: Services['database']): Promise<number> {
    return (await kysely.selectFrom('password_reset_request').select('id').execute()).length;
  }

  it('gets only a limited number of emails', async () => {
    for (let i = 0; i < 5; i += 1) expect(await requestReset(account.ownerEmail)).toBe(200);
    expect(await requestReset(account.ownerEmail)).toBe(429);
  });

  it('leaves nothing in the database that could replace the mailed link', async () => {
    await requestReset(account.ownerEmail);
    const token = await tokenFromMail();
    const rows = await service.services.database.kysely.selectFrom('auth_verification').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(token);
  });
});
