import { removeSecondFactorOf, sendDueMail } from '@affiliate/core';
import { type TOTP, URI } from 'otpauth';
import { beforeEach, describe, expect, it } from 'vitest';
import { inMode } from '../modes/accounts.ts';
import { Browser } from '../support/browser.ts';
import { send } from '../support/http.ts';
import { type Person, newMember, ownerOf } from '../support/people.ts';
import { onServer } from '../support/postgres.ts';
import { program } from '../support/program.ts';
import { type Outputs } from '../support/service.ts';
import { useService, useAccount } from '../support/suite.ts';
import { codeOf, inMidPeriod, post, turnOn } from './second-factor.ts';

const service = useService();
const account = useAccount(service);
let owner: Person;
let person: Person;

beforeEach(async () => {
  owner = await ownerOf(service, account);
  person = await newMember(service, account, 'admin');
});
inMidPeriod();

const newBrowser = () => new Browser(service.url, service.services.publicUrl);

/** Does the first step of signing in. */
async function firstStep(browser = newBrowser()): Promise<Browser> {
  const reply = await browser.signIn(person.email, person.password);
  expect(reply).toMatchObject({ status: 200, body: { twoFactorRedirect: true } });
  return browser;
}

/** Makes the database refuse new rows of a table while `work` runs. */
async function refusingRows(table: string, work: () => Promise<void>): Promise<void> {
  await onServer(service.databaseUrl, `alter table ${table} add constraint refused check (false) not valid`);
  try {
    await work();
  } finally {
    await onServer(service.databaseUrl, `alter table ${table} drop constraint refused`);
  }
}

const isSignedIn = async (browser: Browser) => (await browser.query('session.get')).status === 200;
const verify = (browser: Browser, code: string, more: object = {}) => post(browser, '/two-factor/verify-totp', { code, ...more });

describe('turning the second factor on', () => {
  it('requires the password and a first code, and ends the other sessions', async () => {
    const elsewhere = newBrowser();
    await elsewhere.signIn(person.email, person.password);
    expect(await post(person.browser, '/two-factor/enable', { password: 'wrong' })).toMatchObject({
      status: 422,
      body: { details: [{ path: 'password' }] },
    });
    const { body } = await post(person.browser, '/two-factor/enable', { password: person.password });
    const app = URI.parse(body['totpURI'] as string) as TOTP;
    expect([app.issuer, app.label]).toEqual(['Affiliate', person.email]);
    expect(body['backupCodes']).toHaveLength(10);
    const notYet = newBrowser();
    expect((await notYet.signIn(person.email, person.password)).body).not.toHaveProperty('twoFactorRedirect');
    expect(await post(person.browser, '/two-factor/confirm', { code: '000000' })).toMatchObject({
      status: 422,
      body: { details: [{ path: 'code' }] },
    });
    expect((await post(person.browser, '/two-factor/confirm', { code: app.generate() })).status).toBe(200);
    expect([await isSignedIn(person.browser), await isSignedIn(elsewhere), await isSignedIn(notYet)]).toEqual([
      true,
      false,
      false,
    ]);
    const profile = await person.browser.query<Outputs['profile']['get']>('profile.get');
    expect(profile.body.result!.data.has_second_factor).toBe(true);
    expect((await post(person.browser, '/two-factor/enable', { password: person.password })).status).toBe(409);
  });

  it('ends the other sessions first, so that no other session remains if the process dies', async () => {
    const elsewhere = newBrowser();
    await elsewhere.signIn(person.email, person.password);
    const { body } = await post(person.browser, '/two-factor/enable', { password: person.password });
    const app = URI.parse(body['totpURI'] as string) as TOTP;
    await refusingRows('auth_session', async () => {
      expect((await post(person.browser, '/two-factor/confirm', { code: app.generate() })).status).toBe(500);
    });
    expect([await isSignedIn(person.browser), await isSignedIn(elsewhere)]).toEqual([true, false]);
  });

  it('stores the secret and the recovery codes encrypted', async () => {
    const { app, recoveryCodes } = await turnOn(person);
    const rows = await service.services.database.kysely
      .selectFrom('auth_second_factor')
      .select(['secret', 'recovery_codes'])
      .where('user_id', '=', person.id)
      .execute();
    const stored = JSON.stringify(rows);
    expect(stored).not.toContain(recoveryCodes[0]);
    expect(stored).not.toContain(app.secret.utf8);
  });
});

describe('signing in', () => {
  it('asks for a code after the password, and gives no access before the code', async () => {
    const factor = await turnOn(person);
    const browser = newBrowser();
    const { headers } = await browser.signIn(person.email, person.password);
    expect(await isSignedIn(browser)).toBe(false);
    // The cookie of the session that the library creates in the first step gives no access either.
    for (const line of headers.getSetCookie()) {
      const reply = await send(`${service.url}/api/v1/campaigns`, 'GET', { headers: { Cookie: line.split(';')[0]! } });
      expect(reply.status).toBe(401);
    }
    for (const path of ['/two-factor/disable', '/two-factor/generate-backup-codes', '/two-factor/enable'])
      expect((await post(browser, path, { password: person.password })).status).toBe(401);
    expect((await post(browser, '/two-factor/confirm', { code: codeOf(factor) })).status).toBe(401);
    expect((await post(browser, '/revoke-other-sessions', {})).status).toBe(401);
    expect((await verify(browser, codeOf(factor))).status).toBe(200);
    expect(await isSignedIn(browser)).toBe(true);
  });

  it('succeeds even if the audit log cannot be written', async () => {
    const { recoveryCodes } = await turnOn(person);
    const browser = await firstStep();
    await refusingRows('audit_log', async () => {
      expect((await post(browser, '/two-factor/verify-backup-code', { code: recoveryCodes[0]! })).status).toBe(200);
      expect((await verify(await firstStep(), '000000')).status).toBe(422);
    });
    expect(await isSignedIn(browser)).toBe(true);
  });

  it('also asks for a code after a sign-in link', async () => {
    const factor = await turnOn(person);
    const browser = newBrowser();
    await post(browser, '/request-sign-in-link', { email: person.email });
    const { text } = await service.mailbox.take(person.email, /sign-in link/);
    const token = /#token=(\S+)/.exec(text)![1]!;
    const { body } = await post(browser, '/sign-in/link', { token });
    expect(body).toMatchObject({ twoFactorRedirect: true });
    expect(body).not.toHaveProperty('start');
    expect(await isSignedIn(browser)).toBe(false);
    expect((await verify(browser, codeOf(factor))).status).toBe(200);
    expect(await isSignedIn(browser)).toBe(true);
  });

  it('accepts each code once, even in concurrent requests', async () => {
    const factor = await turnOn(person);
    const browsers = await Promise.all([firstStep(), firstStep(), firstStep()]);
    const code = codeOf(factor);
    const replies = await Promise.all(browsers.map((browser) => verify(browser, code)));
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422, 422]);
    expect(await verify(await firstStep(), codeOf(factor, -1))).toMatchObject({
      status: 422,
      body: { details: [{ path: 'code' }] },
    });
    expect((await verify(await firstStep(), codeOf(factor, 1))).status).toBe(200);
  });

  it('accepts each recovery code once', async () => {
    const { recoveryCodes } = await turnOn(person);
    const recover = async (code: string) => post(await firstStep(), '/two-factor/verify-backup-code', { code });
    expect((await recover(recoveryCodes[0]!)).status).toBe(200);
    expect(await recover(recoveryCodes[0]!)).toMatchObject({ status: 422, body: { details: [{ path: 'code' }] } });
    const { body } = await post(person.browser, '/two-factor/generate-backup-codes', { password: person.password });
    expect((await recover(recoveryCodes[1]!)).status).toBe(422);
    expect((await recover((body['backupCodes'] as string[])[0]!)).status).toBe(200);
    expect((await post(person.browser, '/two-factor/generate-backup-codes', { password: 'wrong' })).status).toBe(422);
  });

  it('limits wrong codes per sign-in and per person', async () => {
    const factor = await turnOn(person);
    const wrong = (i: number) => String(i).padStart(6, '0');
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const browser = await firstStep();
      for (let i = 0; i < 6; i += 1) statuses.push((await verify(browser, wrong(attempt * 6 + i))).status);
    }
    // One sign-in allows five guesses, and all sign-ins of a person together allow ten. After that, even the right code is refused.
    expect(statuses.slice(0, 6)).toEqual([422, 422, 422, 422, 422, 401]);
    expect(statuses.slice(6, 11)).toEqual([422, 422, 422, 422, 422]);
    expect(statuses[11]).toBeGreaterThanOrEqual(401);
    const locked = await verify(await firstStep(), codeOf(factor));
    expect(locked).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
    expect(locked.headers.get('retry-after')).toBe('3600');
    const log = await service.services.database.kysely
      .selectFrom('audit_log')
      .select(['action', 'outcome'])
      .where('account_id', '=', account.id)
      .where('caller_id', '=', person.id)
      .where('action', '=', 'second_factor')
      .execute();
    expect(new Set(log.map(({ outcome }) => outcome))).toEqual(new Set(['VALIDATION_ERROR', 'UNAUTHORIZED', 'RATE_LIMITED']));
  });

  it('does not ask for a code in a trusted browser until the password changes or the person ends the other sessions', async () => {
    const factor = await turnOn(person);
    const browser = await firstStep();
    await verify(browser, codeOf(factor), { trustDevice: true });
    await post(browser, '/sign-out', {});
    expect((await browser.signIn(person.email, person.password)).body).not.toHaveProperty('twoFactorRedirect');
    expect(await isSignedIn(browser)).toBe(true);
    // The browser is trusted for one person only. Another person must enter a code.
    await post(person.browser, '/revoke-other-sessions', {});
    await firstStep(browser);
  });

  it('asks for the code after a password reset', async () => {
    await turnOn(person);
    await post(newBrowser(), '/request-password-reset', { email: person.email });
    const { text } = await service.mailbox.take(person.email, /password/);
    const token = /#token=(\S+)/.exec(text)![1]!;
    expect((await post(newBrowser(), '/reset-password', { token, newPassword: person.password })).status).toBe(200);
    await firstStep();
  });
});

describe('turning the second factor off', () => {
  it('requires the password', async () => {
    await turnOn(person);
    expect((await post(person.browser, '/two-factor/disable', { password: 'wrong' })).status).toBe(422);
    expect((await post(person.browser, '/two-factor/disable', { password: person.password })).status).toBe(200);
    const browser = newBrowser();
    await browser.signIn(person.email, person.password);
    expect(await isSignedIn(browser)).toBe(true);
  });

  const remove = (by: Person) => by.browser.mutate('members.removeSecondFactor', { user_id: person.id });

  it('is possible for an owner on behalf of a member who lost their device, and the member gets an email', async () => {
    await turnOn(person);
    expect((await remove(await newMember(service, account, 'admin'))).status).toBe(403);
    expect((await account.api.post('/trpc/members.removeSecondFactor', { user_id: person.id })).status).toBe(403);
    expect((await remove(owner)).status).toBe(200);
    await service.mailbox.take(person.email, /second factor was removed/);
    const browser = newBrowser();
    expect((await browser.signIn(person.email, person.password)).body).not.toHaveProperty('twoFactorRedirect');
    expect((await remove(owner)).status).toBe(422);
  });

  it('is possible for an owner although the person is an affiliate in the test mode of some account', async () => {
    await turnOn(person);
    const verified = service.services.database.kysely.updateTable('auth_user').set({ email_verified: true });
    await verified.where('id', '=', person.id).execute();
    for (const each of [account, await service.createAccount()])
      await program(await inMode(service, each, false), {}, { email: person.email });
    expect((await remove(owner)).status).toBe(200);
  });

  it('is possible only for the operator if the person also belongs to an account of another owner', async () => {
    await turnOn(person);
    const other = await service.createAccount();
    const at = service.clock.instant();
    await service.services.database.kysely
      .insertInto('membership')
      .values({ account_id: other.id, user_id: person.id, role: 'member', created_at: at, updated_at: at })
      .execute();
    expect((await remove(owner)).status).toBe(403);
    await service.services.database.kysely.deleteFrom('membership').where('account_id', '=', other.id).execute();
    // The owner's request is also refused if the person is an affiliate of another merchant, even if the person has never signed in there.
    await program(other, {}, { email: person.email.toUpperCase() });
    await service.services.database.kysely
      .updateTable('auth_user')
      .set({ email_verified: true })
      .where('id', '=', person.id)
      .execute();
    expect((await remove(owner)).status).toBe(403);
    expect(await removeSecondFactorOf(service.services, person.email.toUpperCase())).toBe(person.id);
    await sendDueMail(service.services);
    await service.mailbox.take(person.email, /second factor was removed/);
  });
});
