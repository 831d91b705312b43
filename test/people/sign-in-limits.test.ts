import { beforeEach, describe, expect, it } from 'vitest';
import { Browser } from '../support/browser.ts';
import { send } from '../support/http.ts';
import { useService, useAccount } from '../support/suite.ts';

const service = useService({ trustedProxies: 1 });
const account = useAccount(service);
let browser: Browser;

beforeEach(async () => {
  browser = new Browser(service.url, service.services.publicUrl);
});

const signIn = () => browser.signIn(account.ownerEmail, account.ownerPassword);

const from = (address: string, known?: Browser) => ({
  signIn: (password: string) =>
    (known ?? new Browser(service.url, service.services.publicUrl)).send('POST', '/auth/sign-in/email', {
      body: { email: account.ownerEmail, password },
      headers: { 'X-Forwarded-For': address },
    }),
});

/** Makes wrong guesses from ten networks, until attempts from unknown browsers are refused. */
async function guessFromManyNetworks(): Promise<void> {
  for (let network = 0; network < 10; network += 1) {
    expect((await from(`203.0.113.${network}`).signIn('guess')).status).toBe(401);
  }
  // Sets the counter instead of making a hundred attempts, which would take too long.
  await service.services.database.kysely.updateTable('auth_attempt').set({ attempts: 100 }).where('attempts', '=', 10).execute();
}

describe('guesses from many networks', () => {
  it('shut out unknown browsers, but neither a browser that the person has used nor a mailed link', async () => {
    expect((await browser.signIn(account.ownerEmail, account.ownerPassword)).status).toBe(200);
    await guessFromManyNetworks();
    expect((await from('198.51.100.1').signIn(account.ownerPassword)).status).toBe(429);
    expect((await from('198.51.100.1', browser).signIn(account.ownerPassword)).status).toBe(200);
    const stranger = new Browser(service.url, service.services.publicUrl);
    await stranger.send('POST', '/auth/request-sign-in-link', { body: { email: account.ownerEmail } });
    const { text } = await service.mailbox.take(account.ownerEmail, /sign-in/i);
    const token = /#token=(\w+)/.exec(text)![1]!;
    expect((await stranger.send('POST', '/auth/sign-in/link', { body: { token } })).status).toBe(200);
  });

  it('are told to the person once a day, with a link that signs in', async () => {
    await guessFromManyNetworks();
    for (let i = 0; i < 3; i += 1) expect((await from('198.51.100.1').signIn('guess')).status).toBe(429);
    const { text } = await service.mailbox.take(account.ownerEmail, /guess your password/);
    const token = /#token=(\w+)/.exec(text)![1]!;
    const stranger = new Browser(service.url, service.services.publicUrl);
    expect((await stranger.send('POST', '/auth/sign-in/link', { body: { token } })).status).toBe(200);
    service.clock.advance(2, 'hours');
    await guessFromManyNetworks();
    await from('198.51.100.1').signIn('guess');
    expect(service.mailbox.takeAll(account.ownerEmail, /guess your password/)).toEqual([]);
  });

  it('are told beside a link that the person asks for, also while mail waits', async () => {
    const others = [await service.createAccount(), await service.createAccount()];
    const accepting = Promise.withResolvers<void>();
    service.mailbox.held = accepting.promise;
    service.clock.advance(2, 'days');
    const askForLink = (email: string) => browser.send('POST', '/auth/request-sign-in-link', { body: { email } });
    const waiting = () =>
      service.services.database.kysely.selectFrom('outgoing_mail').select(['kind', 'attempts']).orderBy('id').execute();
    // Two messages take all places of urgent ones.
    for (const { ownerEmail } of others) await askForLink(ownerEmail);
    await expect.poll(waiting).toEqual(others.map(() => ({ kind: 'sign_in_link', attempts: 1 })));
    await guessFromManyNetworks();
    expect((await from('198.51.100.1').signIn('guess')).status).toBe(429);
    await expect.poll(waiting).toHaveLength(3);
    await askForLink(account.ownerEmail);
    await expect.poll(waiting).toHaveLength(4);
    accepting.resolve();
    await service.mailbox.take(account.ownerEmail, /guess your password/);
    await service.mailbox.take(account.ownerEmail, /sign-in link/i);
    service.mailbox.held = null;
  });

  it('from one network do not shut out another one', async () => {
    await service.services.database.kysely.deleteFrom('auth_attempt').execute();
    for (let i = 0; i < 10; i += 1) expect((await from('203.0.113.1').signIn('guess')).status).toBe(401);
    expect((await from('203.0.113.1').signIn(account.ownerPassword)).status).toBe(429);
    expect((await from('198.51.100.1').signIn(account.ownerPassword)).status).toBe(200);
  });

  it('from one network make it wait longer and longer', async () => {
    await service.services.database.kysely.deleteFrom('auth_attempt').execute();
    const refused: number[] = [];
    for (let turn = 0; turn < 4; turn += 1) {
      for (let i = 0; i < 11; i += 1) {
        const reply = await from('203.0.113.1').signIn('guess');
        if (reply.status === 429) refused.push(Number(reply.headers.get('retry-after')));
      }
      service.clock.advance(10, 'minutes');
    }
    expect(refused[0]).toBeLessThanOrEqual(600);
    expect(Math.max(...refused)).toBeGreaterThan(600);
  });
});

describe('sign-in limits', () => {
  it('stop guesses of one person’s password from one network until some time has passed', async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 11; i += 1) statuses.push((await browser.signIn(account.ownerEmail, `guess ${i}`)).status);
    expect(statuses).toEqual([...Array<number>(10).fill(401), 429]);
    const right = await browser.signIn(` ${account.ownerEmail.toUpperCase()}`.trim(), account.ownerPassword);
    expect(right).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
    expect(Number(right.headers.get('retry-after'))).toBeGreaterThan(0);
    service.clock.advance(10, 'minutes');
    expect((await signIn()).status).toBe(200);
  });

  it('hold for concurrent attempts', async () => {
    const replies = await Promise.all(Array.from({ length: 15 }, () => browser.signIn('racer@example.com', 'guess')));
    expect(replies.filter(({ status }) => status === 401)).toHaveLength(10);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(5);
    service.clock.advance(10, 'minutes');
  });

  it('count only failures', async () => {
    for (let i = 0; i < 12; i += 1) expect((await signIn()).status).toBe(200);
  });

  it('stop one address that tries the passwords of many people', async () => {
    // Sets the counter instead of making fifty attempts, which would take too long.
    const attempt = (i: number) => browser.signIn(`person-${i}@example.com`, 'guess');
    await service.services.database.kysely.deleteFrom('auth_attempt').execute();
    expect((await attempt(0)).status).toBe(401);
    await service.services.database.kysely.updateTable('auth_attempt').set({ attempts: 49 }).where('attempts', '=', 1).execute();
    expect([(await attempt(1)).status, (await attempt(2)).status]).toEqual([401, 429]);
    await service.services.database.kysely.deleteFrom('auth_attempt').execute();
    service.clock.advance(10, 'minutes');
  });

  describe('by address', () => {
    /**
     * Sends requests from different addresses in the same IPv6 /64 network. A network of this size usually belongs to one customer of an internet
     * provider. The requests fail before any costly work. Returns the last status.
     */
    const last = async (path: string, body: (i: number) => object, count: number) => {
      let status = 0;
      for (let i = 0; i < count; i += 1) {
        const headers = { 'X-Forwarded-For': `2001:db8:0:1::${i.toString(16)}`, Origin: service.services.publicUrl };
        ({ status } = await send(`${service.url}${path}`, 'POST', { body: body(i), headers }));
      }
      return status;
    };

    it.each([
      ['requests for a password reset', '/auth/request-password-reset', 20, (i: number) => ({ email: `${i}@example.com` })],
      ['password resets', '/auth/reset-password', 20, () => ({ token: 'x', newPassword: 'long enough' })],
      ['assistant registrations', '/auth/oauth2/register', 30, () => ({ redirect_uris: [] })],
    ] as const)('count %s of one IPv6 network together', async (_, path, limit, body) => {
      expect(await last(path, body, limit)).not.toBe(429);
      expect(await last(path, body, 1)).toBe(429);
    });

    it('count sign-ins of one IPv6 network together', async () => {
      const attempts = () => service.services.database.kysely.updateTable('auth_attempt').set({ attempts: 50 }).execute();
      const body = (i: number) => ({ email: `${i}-${Math.random()}@example.com`, password: 'guess' });
      expect(await last('/auth/sign-in/email', body, 2)).toBe(401);
      await attempts();
      expect(await last('/auth/sign-in/email', body, 1)).toBe(429);
    });
  });
});
