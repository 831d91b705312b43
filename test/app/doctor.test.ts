import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { maintainClickPartitions, rollUpClicks } from '@affiliate/core';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { examine } from '../../packages/app/src/doctor/doctor.ts';
import { WITHOUT_UNICODE, createEmptyDatabase } from '../support/postgres.ts';
import { program, refer, sell } from '../support/program.ts';
import { SECRET_KEY } from '../support/service.ts';
import { startSmtpServer } from '../support/smtp-server.ts';
import { useService } from '../support/suite.ts';
import { run } from './program.ts';

const service = useService({ writesRows: true });
let sql: Client;

beforeAll(async () => {
  sql = new Client({ connectionString: service.databaseUrl });
  await sql.connect();
  await service.createAccount();
});
afterAll(() => sql.end());

const settings = (more: Record<string, string> = {}) => ({ DATABASE_URL: service.databaseUrl, SECRET_KEY, ...more });
const find = async (check: string, more?: Record<string, string>) =>
  (await examine(settings(more))).find((each) => each.check === check);

describe('affiliate doctor', () => {
  it('reports no problems for a healthy installation, and the finding of each check', async () => {
    const smtp = await startSmtpServer();
    const more = { SMTP_URL: smtp.url, MAIL_FROM: 'noreply@example.com', PUBLIC_URL: 'http://localhost:3000' };
    await run(['migrate'], settings());
    const { code, stdout, stderr } = await run(['doctor'], settings(more));
    await smtp.close();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const lines = stdout.trimEnd().split('\n');
    expect(lines.map((line) => line.replace(/:.*/, ''))).toEqual([
      'ok       configuration',
      'ok       address',
      'ok       disk',
      'ok       database',
      'ok       clock',
      'ok       migrations',
      'ok       secret key',
      'warning  worker',
      '         Run `affiliate worker`. Without a worker, webhooks, due commissions, mail and purges are not processed.',
      'ok       deliveries',
      'ok       mail waiting',
      'ok       due commissions',
      'ok       provider events',
      'ok       jobs',
      'warning  backup',
      '         Run `affiliate backup` every night, unless another program makes backups of this database.',
      'ok       clicks',
      'ok       click retention',
      'ok       click partitions',
      'ok       mail',
      'ok       address guard',
    ]);
    expect(smtp.mails).toEqual([]);
  });

  it('fails with one line per invalid variable and exit code 1', async () => {
    const { code, stdout } = await run(['doctor', '--json'], { ...settings(), PORT: '80a', LOG_LEVEL: 'loud' });
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toEqual({
      ok: false,
      findings: ['PORT', 'LOG_LEVEL'].map((name) => ({
        check: 'configuration',
        status: 'failed',
        found: expect.stringContaining(name) as string,
        advice: expect.stringContaining('docs/configuration.md') as string,
      })),
    });
  });

  it.each([
    ['database', 'failed', { DATABASE_URL: 'postgres://me:hidden@127.0.0.1:1/x' }, 'cannot be reached at 127.0.0.1:1'],
    ['secret key', 'failed', { SECRET_KEY: 'another secret key' }, 'not the key of this database'],
    ['secret key', 'warning', { SECRET_KEY_PREVIOUS: 'another secret key' }, 'is being replaced'],
    ['mail', 'failed', { SMTP_URL: 'smtp://a:b@127.0.0.1:1', MAIL_FROM: 'a@example.com' }, '127.0.0.1:1 refuses'],
    ['mail', 'warning', {}, 'appear in the log'],
    ['address guard', 'warning', { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' }, 'http://127.0.0.1/'],
    ['version', 'warning', { NEWEST_VERSION_FILE: '/none/newest' }, 'could not be determined: ENOENT'],
    ['version', 'warning', { NEWEST_VERSION_FILE: import.meta.filename }, 'must contain exactly one version'],
    ['address', 'warning', { PUBLIC_URL: 'http://shop.example.com' }, 'does not use https'],
  ])('reports for %s: %s', async (check, status, more, words) => {
    const finding = await find(check, more);
    expect(finding).toMatchObject({ status, found: expect.stringContaining(words) as string });
    expect(finding!.advice).toMatch(/\.$/);
    expect(JSON.stringify(finding)).not.toContain('hidden');
  });

  it('reports an empty database and a DATA_DIR without a database, and creates nothing', async () => {
    const empty = await createEmptyDatabase();
    expect(await find('migrations', { DATABASE_URL: empty.url })).toMatchObject({
      status: 'warning',
      found: 'the database is empty',
    });
    await empty.drop();
    await using directory = await mkdtempDisposable(join(tmpdir(), 'affiliate-doctor-'));
    const found = await examine({ DATA_DIR: directory.path });
    expect(found.find(({ check }) => check === 'database')).toMatchObject({
      status: 'warning',
      found: expect.stringContaining('yet') as string,
    });
    expect(found.find(({ check }) => check === 'disk')).toMatchObject({
      found: expect.stringMatching(/^[\d.]+ GB free/) as string,
    });
  });

  it('reports a database that does not store Unicode', async () => {
    const ascii = await createEmptyDatabase(WITHOUT_UNICODE);
    expect(await find('database', { DATABASE_URL: ascii.url })).toMatchObject({
      status: 'failed',
      found: expect.stringContaining('with the encoding SQL_ASCII') as string,
    });
    await ascii.drop();
  });

  it('counts overdue and abandoned work', async () => {
    const account = await service.createAccount();
    await account.client.webhookEndpoints.create.mutate({
      name: 'R',
      url: 'http://127.0.0.1/a',
      event_types: ['commission.created'],
    });
    const shop = await program(account);
    const { id } = await refer(account, shop);
    await sell(account, { referral_id: id });
    await sql.query(`update webhook_delivery set next_attempt_at = now() - interval '11 seconds'`);
    await sql.query(`update commission set due_at = now() - interval '61 seconds'`);
    await sql.query(`insert into outgoing_mail
        (id, account_id, kind, is_urgent, recipient, host, is_joined, sealed_mail, attempts, next_attempt_at, expires_at, created_at)
      values ('mail_1', '', 'x', false, 'x', 'example.com', false, 'x', 3, now(), now() + interval '1 day', now())`);
    await sql.query(
      `insert into psp_event (account_id, connection_id, psp_event_id, livemode, type, occurred_at, state, attempts, gave_up_at, payload, received_at)
       values ($1, 'conn_1', 'evt_1', true, 'charge.succeeded', now(), 'pending', 10, now(), '{}', now())`,
      [account.id],
    );
    const findings = await examine(settings());
    const about = (name: string) => findings.find(({ check }) => check === name);
    expect(about('deliveries')).toMatchObject({ status: 'warning', found: '1 late by more than 10 seconds' });
    expect(about('due commissions')).toMatchObject({ status: 'warning', found: '1 late by more than 60 seconds' });
    expect(about('mail waiting')).toMatchObject({ status: 'warning' });
    expect(about('provider events')).toMatchObject({ status: 'failed', found: '1 given up' });
  });

  it('reports since when clicks are not rolled up, and clicks that are kept too long or in the wrong partition', async () => {
    const account = await service.createAccount();
    const clicked = async (age: string) => {
      const { rows } = await sql.query<{ at: string }>(
        `insert into click (day, at, account_id, link_id, affiliate_id, campaign_id, is_unique, visitor_key)
         select (at at time zone 'utc')::date, at, $2, 'link_1', 'aff_1', 'camp_1', true, '' from (select now() - $1::interval as at) click
         returning to_char(at at time zone 'utc', 'YYYY-MM-DD HH24:MI') as at`,
        [age, account.id],
      );
      return rows[0]!.at;
    };
    const clickFindings = async (more?: Record<string, string>) =>
      (await examine(settings(more))).filter(({ check }) => check.startsWith('click'));
    const statuses = async (more?: Record<string, string>) => (await clickFindings(more)).map(({ status }) => status);
    // Today's clicks are not a finding: a worker's next run counts them and moves them to their partition.
    await clicked('50 minutes');
    expect(await statuses()).toEqual(['ok', 'ok', 'ok']);
    const recent = await clicked('25 hours');
    expect(await clickFindings()).toMatchObject([
      { check: 'clicks', status: 'warning', found: `clicks since ${recent} UTC are not rolled up` },
      { check: 'click retention', status: 'ok' },
      {
        check: 'click partitions',
        status: 'warning',
        found: expect.stringMatching(/in the default partition .*: 1 \(/) as string,
      },
    ]);
    const old = await clicked('402 days');
    expect(await clickFindings()).toMatchObject([
      {
        status: 'warning',
        found: `clicks since ${old} UTC are not rolled up`,
        advice: expect.stringContaining('worker') as string,
      },
      {
        status: 'failed',
        found: `clicks since ${old} UTC are still kept, although clicks must be deleted after 400 days (CLICK_RETENTION_DAYS)`,
        advice: expect.stringContaining('after it has rolled them up') as string,
      },
      { status: 'warning', found: expect.stringMatching(/: 2 \(/) as string },
    ]);
    expect(await statuses({ CLICK_RETENTION_DAYS: '402' })).toEqual(['warning', 'ok', 'warning']);
    await maintainClickPartitions(service.services);
    expect(await statuses()).toEqual(['warning', 'failed', 'ok']);
    await rollUpClicks(service.services);
    expect(await clickFindings()).toMatchObject([
      { status: 'ok' },
      { status: 'failed', advice: expect.stringContaining('deletes old clicks every ten minutes') as string },
      { status: 'ok' },
    ]);
    await maintainClickPartitions(service.services);
    expect(await statuses()).toEqual(['ok', 'ok', 'ok']);
  });
});
