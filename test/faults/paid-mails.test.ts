import { setTimeout } from 'node:timers/promises';
import { createSmtpMailer } from '@affiliate/app/mail';
import { MAILER_CALLS, type Mailer, type Services, advancePayoutBatches, sendDueMail } from '@affiliate/core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startProgram } from '../app/program.ts';
import { plantPayouts } from '../payouts/many-payouts.ts';
import { signedIn } from '../support/people.ts';
import { must } from '../support/program.ts';
import { SECRET_KEY, type TestAccount, type TestService, startService } from '../support/service.ts';
import { type TestSmtpServer, startSmtpServer } from '../support/smtp-server.ts';

/** Number of messages that a process sends concurrently at most. A kill can cause at most this many to be sent again. */
const AT_ONCE = MAILER_CALLS;
/** Number of payouts in the long test (`PAID_MAILS=1000`), which starts real processes and kills them while they send emails. */
const LONG = Number(process.env['PAID_MAILS'] ?? 0);
/** A process is killed after it has sent this many messages. After the last kill, another process sends the rest. */
const SENT_BEFORE_KILL = 60;
const KILLS = 6;
const FROM = 'Affiliates <noreply@affiliates.example.com>';

let service: TestService;
let account: TestAccount;
let smtp: TestSmtpServer;

beforeAll(async () => {
  [service, smtp] = await Promise.all([startService({ writesRows: true }), startSmtpServer()]);
  account = await service.createAccount();
  const owner = await signedIn(service, account.ownerEmail, account.ownerPassword);
  // The owner gets no email about the finished run, so that only the emails about payouts are counted.
  await owner.mutate('profile.chooseMails', { account_id: account.id, mails: [] });
});
afterAll(async () => {
  await service.stop();
  await smtp.close();
});

/** Starts a run over the payouts of this many affiliates who can sign in. */
async function startRun(affiliates: number): Promise<string> {
  await plantPayouts(service, account, { affiliates });
  await service.services.database.kysely
    .updateTable('affiliate')
    .set({ user_id: account.ownerId })
    .where('account_id', '=', account.id)
    .execute();
  const { id } = await must<{ id: string }>(account, '/payout_runs', {});
  await account.client.payoutRuns.execute.mutate({ id, async: true });
  return id;
}

const waiting = () => service.services.database.kysely.selectFrom('outgoing_mail').select('id').execute();
const messageIds = () => smtp.mails.map(({ messageId }) => messageId!);

/**
 * Creates a mailer that passes messages on to the server, and resolves `died` when `after` messages have been sent. From then on, no call returns, so
 * messages that are being sent are sent, but not recorded as sent.
 */
function dyingMailer(mailer: Mailer, after: number): { mailer: Mailer; died: Promise<void> } {
  const { promise: died, resolve: die } = Promise.withResolvers<void>();
  const { promise: never } = Promise.withResolvers<void>();
  let sent = 0;
  return {
    died,
    mailer: {
      send: async (mail) => {
        if (sent >= after) await never;
        await mailer.send(mail);
        sent += 1;
        if (sent < after) return;
        die();
        await never;
      },
    },
  };
}

it.skipIf(LONG > 0)(
  'every paid payout is mailed once, except that mails in progress in a process that died may be repeated',
  async () => {
    const payouts = 50;
    const mailer = createSmtpMailer({ url: smtp.url, from: FROM });
    // Each process has the time of its start. What a dead one still claims, because only its calls of the mailer never return, is therefore as
    // overdue for the next one as all else that it claimed.
    const as = (one: Mailer): Services => {
      const started = service.clock.now();
      return { ...service.services, clock: { now: () => started }, mailer: one, jobs: { send: () => undefined } };
    };
    await startRun(payouts);
    const first = dyingMailer(mailer, 10);
    await advancePayoutBatches(as(first.mailer));
    void sendDueMail(as(first.mailer));
    await first.died;
    service.clock.advance(3, 'minutes');
    const second = dyingMailer(mailer, 20);
    void sendDueMail(as(second.mailer));
    await second.died;
    service.clock.advance(3, 'minutes');
    await sendDueMail(as(mailer));
    expect(await waiting()).toEqual([]);
    expect(new Set(messageIds()).size).toBe(payouts);
    expect(new Set(smtp.mails.map(({ recipients }) => recipients[0])).size).toBe(payouts);
    const repeats = messageIds().length - payouts;
    expect(repeats).toBeGreaterThan(0);
    expect(repeats).toBeLessThanOrEqual(2 * AT_ONCE);
  },
);

it.runIf(LONG > 0)(
  'every paid payout is mailed once, although the worker is killed again and again while it sends',
  async () => {
    const run = await startRun(LONG);
    const start = () =>
      startProgram(['start'], { DATABASE_URL: service.databaseUrl, SECRET_KEY, PORT: '0', SMTP_URL: smtp.url, MAIL_FROM: FROM });
    const isDone = async () =>
      (await account.client.payoutRuns.get.query({ id: run })).state === 'completed' && (await waiting()).length === 0;
    let kills = 0;
    const arrived: number[] = [];
    // When the leases of the killed processes have expired, the last process sends their unfinished messages.
    for (let done = false; !done;) {
      const program = await start();
      const enough = smtp.mails.length + SENT_BEFORE_KILL;
      const isKilled = async () => kills < KILLS && smtp.mails.length >= enough;
      await until(async () => (await isKilled()) || isDone(), 300_000);
      done = await isDone();
      await program.end('SIGKILL');
      if (!done) kills += 1;
      arrived.push(smtp.mails.length);
    }
    const repeats = smtp.mails.length - LONG;
    process.stdout.write(
      `${LONG} payouts, ${kills} kills, ${smtp.mails.length} messages, ${repeats} of them repeats; arrived after each process: ${arrived.join(' ')}\n`,
    );
    expect(new Set(messageIds()).size).toBe(LONG);
    expect(new Set(smtp.mails.map(({ recipients }) => recipients[0])).size).toBe(LONG);
    expect(kills).toBe(KILLS);
    // More messages had arrived at each kill than at the one before.
    expect(new Set(arrived).size).toBe(arrived.length);
    expect(repeats).toBeLessThanOrEqual(kills * AT_ONCE);
  },
  900_000,
);

/** Waits until the condition is true. Returns false if it is not true in time. */
async function until(isTrue: () => Promise<boolean>, withinMs: number): Promise<boolean> {
  const end = performance.now() + withinMs;
  while (performance.now() < end) {
    if (await isTrue()) return true;
    await setTimeout(5);
  }
  return false;
}
