import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandLine, environment, untilWorking } from '../app/program.ts';
import { builtProgram } from '../support/built-program.ts';
import { send } from '../support/http.ts';
import { must, program } from '../support/program.ts';
import { SECRET_KEY, type TestAccount, type TestService, startService } from '../support/service.ts';
import { type TestSmtpServer, startSmtpServer } from '../support/smtp-server.ts';

/** Number of invitations of one account. `pnpm test:faults` tries 5,000, which takes nine minutes. */
const WAITING = Number(process.env['MAILS'] ?? 120);
const IS_LONG = WAITING >= 1_000;
/** Number of sign-in links that are requested for affiliates of one account, and number of networks of the requests. */
const LINKS = IS_LONG ? 600 : 90;
const NETWORKS = 30;
/** Number of messages that the mail server accepts per second. */
const PER_SECOND = IS_LONG ? 10 : 20;
/** Time in which a sign-in link of another account must arrive. */
const LINK_WITHIN_MS = 2_000;
/** Numbers of messages after which a worker is killed. */
const KILLED_AFTER = IS_LONG ? [0.05, 0.25, 0.6].map((share) => Math.round(WAITING * share)) : [15, 40];
/** Number of messages that a worker attempts at a time, which may arrive again after its death. */
const AT_ONCE = 10;
const SENT_BY = 'Affiliates <noreply@affiliates.example.com>';

let service: TestService;
let smtp: TestSmtpServer;
let busy: TestAccount;
let others: TestAccount[];

beforeAll(async () => {
  await builtProgram();
  service = await startService({ workersElsewhere: true, trustedProxies: 1 });
  smtp = await startSmtpServer({ perSecond: PER_SECOND });
  busy = await service.createAccount();
  others = await Promise.all([...KILLED_AFTER, 'last'].map(() => service.createAccount()));
}, 120_000);
afterAll(async () => {
  await service.stop();
  await smtp.close();
});

describe('while the mail server is slow and one account has a backlog', () => {
  it(
    'a sign-in link of another account arrives at once, and no message is lost when workers are killed',
    async () => {
      const emails = Array.from({ length: WAITING }, (_, i) => `guest-${i}@example.com`);
      for (const email of emails) {
        expect((await busy.api.post('/invitations', { kind: 'member', email })).status).toBe(201);
      }
      let worker = await startWorker();
      const took: number[] = [];
      const measure = async () => {
        const [arrivedBefore, waiting] = [smtp.mails.length, waitingOf(emails)];
        await expect.poll(() => smtp.mails.length, { timeout: 20_000 }).toBeGreaterThan(arrivedBefore);
        service.clock.set(new Date().toISOString());
        const ms = await askForLink(others[took.length]!.ownerEmail);
        expect(waitingOf(emails)).toBeGreaterThan(0);
        took.push(ms);
        process.stdout.write(
          `A link of another account arrives after ${Math.round(ms)} ms, while ${waiting} of ${WAITING} invitations wait at ${PER_SECOND} a second\n`,
        );
      };
      for (const messages of KILLED_AFTER) {
        await expect
          .poll(() => smtp.mails.length, { timeout: 60_000 + (messages / PER_SECOND) * 2_000 })
          .toBeGreaterThanOrEqual(messages);
        if (IS_LONG) await measure();
        await end(worker, 'SIGKILL');
        // In the long form, the leases of the killed worker end while the others are sent.
        if (!IS_LONG) await endLeases();
        worker = await startWorker();
      }
      await measure();
      expect(Math.max(...took)).toBeLessThan(LINK_WITHIN_MS);

      await expect.poll(() => waitingOf(emails), { timeout: (WAITING / PER_SECOND) * 2_000 + 200_000, interval: 200 }).toBe(0);
      await expect.poll(outbox, { timeout: 10_000 }).toEqual([]);
      const times = emails.map((email) => smtp.mails.filter(({ recipients }) => recipients[0] === email).length);
      const repeated = times.filter((count) => count > 1).length;
      process.stdout.write(`${repeated} of ${WAITING} messages arrive twice after ${KILLED_AFTER.length} deaths of the worker\n`);
      expect(Math.max(...times)).toBeLessThanOrEqual(2);
      expect(repeated).toBeLessThanOrEqual(KILLED_AFTER.length * AT_ONCE);
      await end(worker, 'SIGTERM');
    },
    IS_LONG ? 2_400_000 : 120_000,
  );
});

it(
  `a sign-in link of another account arrives at once while ${LINKS} links are requested from ${NETWORKS} networks`,
  async () => {
    const { campaign } = await program(busy);
    const emails = Array.from({ length: LINKS }, (_, i) => `partner-${i}@example.com`);
    for (const email of emails) await must(busy, '/affiliates', { email, campaign_id: campaign.id });
    const account = await service.createAccount();
    service.clock.set(new Date().toISOString());
    for (const [i, email] of emails.entries()) await requestLink(email, `198.51.${i % NETWORKS}.1`);
    const worker = await startWorker();
    await expect.poll(() => waitingOf(emails), { timeout: 60_000 }).toBeLessThan(LINKS);
    const took = await askForLink(account.ownerEmail);
    const waiting = waitingOf(emails);
    process.stdout.write(
      `A link of another account arrives after ${Math.round(took)} ms, while ${waiting} of ${LINKS} requested links wait\n`,
    );
    expect(waiting).toBeGreaterThan(0);
    expect(took).toBeLessThan(LINK_WITHIN_MS);
    await end(worker, 'SIGTERM');
  },
  IS_LONG ? 300_000 : 120_000,
);

const outbox = () => service.services.database.kysely.selectFrom('outgoing_mail').select('id').execute();

function waitingOf(emails: readonly string[]): number {
  const arrived = new Set(smtp.mails.map(({ recipients }) => recipients[0]));
  return emails.filter((email) => !arrived.has(email)).length;
}

async function startWorker(): Promise<ChildProcess> {
  const settings = { DATABASE_URL: service.databaseUrl, SECRET_KEY, SMTP_URL: smtp.url, MAIL_FROM: SENT_BY };
  const child = spawn(process.execPath, [await commandLine(settings), 'worker'], {
    env: environment(settings),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return untilWorking(child);
}

async function end(worker: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  worker.kill(signal);
  await once(worker, 'exit');
}

/** Ends the leases of messages that a killed worker had claimed. */
async function endLeases(): Promise<void> {
  await service.services.database.kysely
    .updateTable('outgoing_mail')
    .set({ next_attempt_at: service.services.clock.now().toISOString() })
    .where('attempts', '>', 0)
    .execute();
}

async function requestLink(email: string, network: string): Promise<void> {
  const headers = { origin: service.services.publicUrl, 'x-forwarded-for': network };
  const { status } = await send(`${service.url}/auth/request-sign-in-link`, 'POST', { body: { email }, headers });
  expect(status).toBe(200);
}

/** Asks for a sign-in link, and returns the milliseconds until it has arrived. */
async function askForLink(email: string): Promise<number> {
  const start = performance.now();
  await requestLink(email, '203.0.113.1');
  while (!smtp.mails.some(({ recipients }) => recipients[0] === email)) {
    if (performance.now() - start > 60_000) throw new Error('The link has not arrived.');
    await setTimeout(10);
  }
  return performance.now() - start;
}
