import { spawn } from 'node:child_process';
import { createLogMailer } from '@affiliate/app/log-mailer';
import { sendDueMail } from '@affiliate/core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { commandLine, environment, startProgram, untilWorking } from '../app/program.ts';
import { Browser } from '../support/browser.ts';
import { builtProgram } from '../support/built-program.ts';
import { sendAllMail } from '../support/mailbox.ts';
import { signedIn } from '../support/people.ts';
import { program } from '../support/program.ts';
import { SECRET_KEY, type Outputs, type TestAccount, type TestService, startService } from '../support/service.ts';

type UnsentMails = Outputs['account']['unsentMails'];

const PUBLIC_URL = 'http://localhost:8080';

let installation: TestService;
let account: TestAccount;

beforeAll(async () => {
  await builtProgram();
  installation = await startService({ workersElsewhere: true });
  account = await installation.createAccount();
});
afterAll(() => installation.stop());

const settings = () => ({ DATABASE_URL: installation.databaseUrl, SECRET_KEY, PUBLIC_URL, PORT: '0', LOG_LEVEL: 'info' });

/** Starts a process that answers requests, and signs in as the owner. */
async function startDoors() {
  const rest = await startProgram(['rest'], settings());
  onTestFinished(() => void rest.child.kill('SIGKILL'));
  const owner = new Browser(rest.url, PUBLIC_URL);
  expect(await owner.signIn(account.ownerEmail, account.ownerPassword)).toMatchObject({ status: 200 });
  const read = async () => {
    const { body } = await owner.query<UnsentMails>('account.unsentMails', { account_id: account.id });
    return body.result!.data.mails!;
  };
  return { rest, owner, read };
}

async function startWorker() {
  const child = spawn(process.execPath, [await commandLine(settings()), 'worker'], {
    env: environment(settings()),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await untilWorking(child);
}

it('the outbox has the emails that a worker in another process did not send, also after a restart', async () => {
  await startWorker();
  const { rest, owner, read } = await startDoors();
  await account.client.invitations.create.mutate({ kind: 'member', email: 'sofia@example.com', role: 'admin' });
  await owner.send('POST', '/auth/request-password-reset', { body: { email: account.ownerEmail } });
  await expect.poll(read, { timeout: 20_000 }).toMatchObject([{ to: 'sofia@example.com' }]);
  const [invitation] = await read();
  expect(invitation!.text).toMatch(/\/invitation/);
  // The email with the secret link, for the owner alone, is neither shown nor stored.
  await expect.poll(waiting, { timeout: 20_000 }).toEqual([]);
  expect(await stored()).toMatchObject([{ id: invitation!.id, account_id: account.id }]);

  await rest.end();
  const again = await startDoors();
  expect(await again.read()).toEqual([invitation]);
}, 90_000);

const waiting = () => installation.services.database.kysely.selectFrom('outgoing_mail').select('id').execute();
const stored = () => installation.services.database.kysely.selectFrom('logged_mail').selectAll().execute();

describe('emails without a mail server', () => {
  const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  let service: TestService;
  let shop: TestAccount;
  let campaign_id: string;

  beforeAll(async () => {
    service = await startService({ mailer: createLogMailer(silent) });
    shop = await service.createAccount();
    campaign_id = (await program(shop)).campaign.id;
    return () => service.stop();
  });

  const invite = (email: string) => shop.client.invitations.create.mutate({ kind: 'affiliate', email, campaign_id });
  const kept = () => service.services.database.kysely.selectFrom('logged_mail').selectAll().orderBy('id').execute();

  it('are stored sealed, the last 100 of an account for 7 days', async () => {
    for (let number = 0; number < 101; number += 1) await invite(`affiliate-${number}@example.com`);
    await sendAllMail(service.services);
    const rows = await kept();
    expect(rows).toHaveLength(100);
    expect(JSON.stringify(rows)).not.toContain('example.com');
    const { sent_at, expires_at } = rows.at(-1)!;
    expect(Date.parse(expires_at) - Date.parse(sent_at)).toBe(7 * 86_400_000);
    service.clock.advance(7, 'days');
    await sendDueMail(service.services);
    expect(await kept()).toEqual([]);
  });

  it('that cannot be decrypted are left out of the page Outbox', async () => {
    const browser = await signedIn(service, shop.ownerEmail, shop.ownerPassword);
    const shown = async () =>
      ((await browser.query('account.unsentMails', { account_id: shop.id })).body.result!.data as UnsentMails).mails!.map(
        ({ to }) => to,
      );
    for (const email of ['one@example.com', 'two@example.com']) await invite(email);
    await expect.poll(shown).toEqual(['two@example.com', 'one@example.com']);
    const [one, two] = await kept();
    await service.services.database.kysely
      .updateTable('logged_mail')
      .set({ sealed_mail: 'v1.unreadable' })
      .where('id', '=', two!.id)
      .execute();
    expect(await shown()).toEqual(['one@example.com']);
    await service.services.database.kysely.deleteFrom('logged_mail').where('id', 'in', [one!.id, two!.id]).execute();
  });

  it('are not stored if there is one', async () => {
    const other = await startService();
    onTestFinished(() => other.stop());
    const owned = await other.createAccount();
    await owned.client.invitations.create.mutate({ kind: 'member', email: 'sofia@example.com', role: 'admin' });
    await other.mailbox.take('sofia@example.com', /./);
    await sendAllMail(other.services);
    expect(await other.services.database.kysely.selectFrom('logged_mail').select('id').execute()).toEqual([]);
  });

  it('to an erased affiliate are deleted', async () => {
    const { id } = await shop.client.affiliates.create.mutate({ email: 'erased@example.com', campaign_id });
    await invite('erased@example.com');
    await expect.poll(kept).toHaveLength(1);
    await shop.client.affiliates.erase.mutate({ id });
    expect(await kept()).toEqual([]);
  });
});
