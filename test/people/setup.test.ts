import { createSetupToken } from '@affiliate/core';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Browser } from '../support/browser.ts';
import { NEW_PROGRAM } from '../support/new-program.ts';
import { type ServiceOptions, type TestService, startService } from '../support/service.ts';

let service: TestService;
let browser: Browser;

async function begin(options?: ServiceOptions): Promise<string> {
  service = await startService(options);
  browser = new Browser(service.url, service.services.publicUrl);
  return (await createSetupToken(service.services))!;
}
afterEach(() => service.stop());

const PROGRAM = { ...NEW_PROGRAM, time_zone: 'Asia/Kolkata' };

async function rows(statement: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: service.databaseUrl });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}

describe('the setup of an installation', () => {
  let token: string;
  beforeEach(async () => {
    token = await begin();
  });

  it('creates the account and an owner who can sign in, works once per link, and later starts print no link', async () => {
    expect((await browser.mutate('setup.open', { token })).body.result?.data).toEqual({ sends_mail: true });
    const other = (await createSetupToken(service.services))!;
    const done = await browser.mutate<{ account_id: string }>('setup.complete', { token, ...PROGRAM });
    expect(done).toMatchObject({ status: 200 });
    expect(await browser.signIn('grace@example.com', 'correct horse battery')).toMatchObject({ status: 200 });
    expect(await rows('select id, name, currency, time_zone from account')).toEqual([
      { id: done.body.result!.data.account_id, name: 'My shop', currency: 'EUR', time_zone: 'Asia/Kolkata' },
    ]);
    expect(await rows('select name from auth_user')).toEqual([{ name: 'Grace Hopper' }]);
    for (const used of [token, other]) {
      expect(await browser.mutate('setup.complete', { token: used, ...PROGRAM })).toMatchObject({ status: 404 });
      expect(await browser.mutate('setup.open', { token: used })).toMatchObject({ status: 404 });
    }
    expect(await createSetupToken(service.services)).toBeNull();
    expect(await rows('select count(*)::int as count from account')).toEqual([{ count: 1 }]);
  });

  it('adds an example if asked to', async () => {
    await browser.mutate('setup.complete', { token, ...PROGRAM, example_data: true });
    await browser.signIn('grace@example.com', 'correct horse battery');
    expect((await browser.query<{ data: unknown[] }>('campaigns.list', {})).body.result?.data.data).toHaveLength(1);
    expect((await browser.query<{ data: unknown[] }>('affiliates.list', {})).body.result?.data.data).toHaveLength(1);
  });

  it('succeeds only once for concurrent attempts', async () => {
    const emails = ['a@example.com', 'b@example.com', 'c@example.com'];
    const replies = await Promise.all(
      emails.map((owner_email) => browser.mutate('setup.complete', { token, ...PROGRAM, owner_email })),
    );
    expect(replies.map(({ status }) => String(status)).toSorted()).toEqual(['200', '404', '404']);
    expect(await rows('select count(*)::int as count from account')).toEqual([{ count: 1 }]);
  });

  it('refuses wrong and expired links, and refuses every link for a while after twenty wrong ones', async () => {
    expect(JSON.stringify(await rows('select * from setup_token'))).not.toContain(token);
    expect(await browser.mutate('setup.open', { token: 'wrong' })).toMatchObject({ status: 404 });
    service.clock.advance(24, 'hours');
    expect(await browser.mutate('setup.open', { token })).toMatchObject({ status: 404 });
    for (let i = 0; i < 19; i += 1) await browser.mutate('setup.open', { token: 'wrong' });
    const valid = (await createSetupToken(service.services))!;
    await browser.mutate('setup.open', { token: 'wrong' });
    expect(await browser.mutate('setup.open', { token: valid })).toMatchObject({ status: 429 });
    service.clock.advance(15, 'minutes');
    expect(await browser.mutate('setup.open', { token: valid })).toMatchObject({ status: 200 });
  });

  it('names the field of a password that is too short, and can be retried', async () => {
    const refused = await browser.mutate('setup.complete', { token, ...PROGRAM, owner_password: 'short' });
    expect(refused).toMatchObject({ status: 422 });
    expect(JSON.stringify(refused.body)).toContain('owner_password');
    expect(await browser.mutate('setup.complete', { token, ...PROGRAM })).toMatchObject({ status: 200 });
  });

  it('sends at most five test emails in ten minutes', async () => {
    const send = () => browser.mutate('setup.sendTestMail', { token, email: 'grace@example.com' });
    expect((await send()).body.result?.data).toEqual({ problem: null });
    const mail = await service.mailbox.take('grace@example.com', /Test of your mail settings/);
    expect(mail.text).not.toContain(token);
    for (let i = 0; i < 4; i += 1) await send();
    expect(await send()).toMatchObject({ status: 429 });
  });
});

it('the setup shows the response of a mail server that refuses the test email', async () => {
  const token = await begin({ mailer: { writesToLog: true, send: () => Promise.reject(new Error('535 wrong password')) } });
  expect((await browser.mutate('setup.open', { token })).body.result?.data).toEqual({ sends_mail: false });
  const { body } = await browser.mutate('setup.sendTestMail', { token, email: 'grace@example.com' });
  expect(body.result?.data).toEqual({ problem: '535 wrong password' });
});
