import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { plantPayouts } from '../../payouts/many-payouts.ts';
import { Api, type Reply } from '../../support/http.ts';
import { program } from '../../support/program.ts';
import { type Installation, newMerchant } from './installation.ts';
import type { Fault, Tally } from './storm.ts';

/** Number of kills for each kind of work, counting all three processes together. */
const KILLS = Number(process.env['KILLS'] ?? 6);
const RETRY_MS = 200;
/** Pause after the pattern was removed: longer than a process takes to notice the removal. */
const DISARMED_MS = 250;
/** Longest wait for background work after all killed processes have been replaced. */
const RESUME_MS = 30_000;
/** Time by which the clock is moved: longer than the lease of a message that a process has claimed for sending. */
const MAIL_LEASE_MS = 180_000;
const PAYOUTS = 2_500;
const CENTS = 1_000;

/** Work during which processes are killed. */
interface Work {
  /** Pattern of statements that only this work executes. */
  statement: RegExp;
  /**
   * Prepares the work. The returned function does the work, repeating it as long as processes are killed, and compares the outcome. Absent if the
   * storm's own sales already cause the work.
   *
   * @param calm settles when the kills are over and all processes work again
   */
  begin?: (installation: Installation) => Promise<(calm: Promise<void>) => Promise<Tally>>;
}

const WORK: Record<string, Work> = {
  sales: { statement: /into "?(?:sale|commission)"? ?\(/ },
  deliveries: { statement: /insert into webhook_attempt/ },
  clicks: {
    statement: /insert into click \(/,
    begin: async (installation) => {
      const { api, account } = await merchant(installation);
      const { link } = await program(account);
      const { pathname } = new URL(link.tracking_url);
      return async () => {
        let unanswered = 0;
        const click = async () => {
          const reply = await api()
            .send('GET', pathname, { headers: { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' } })
            .catch(() => null);
          if (reply?.status === 302) return true;
          // A click has no idempotency key, so an unanswered one may have been recorded.
          if (reply === null) unanswered += 1;
          else if (reply.status !== 503) throw new Error(`${reply.status} ${reply.text}`);
          return false;
        };
        const items = 400;
        await inParallel(4, items, () => insist(click));
        const [row] = await installation.ask<{ clicks: number; counted: number }>(
          `select (select count(*)::int from click where link_id = $1) as clicks,
             (select coalesce(sum(clicks), 0)::int from link_clicks where link_id = $1) as counted`,
          [link.id],
        );
        const recorded = Math.min(row!.clicks, row!.counted);
        const differing = Math.abs(row!.clicks - row!.counted);
        return { items, lost: Math.max(0, items - recorded) + differing, doubled: Math.max(0, recorded - items - unanswered) };
      };
    },
  },
  exports: {
    statement: /update payout set status = 'paid'|payout_batch/,
    begin: async (installation) => {
      const { api, id } = await plantedMerchant(installation);
      return async (calm) => {
        const made = await insistOn(() => api().post('/payout_exports', {}, { 'Idempotency-Key': `export ${id}` }));
        const payment = `/payout_exports/${String(made.body['id'])}/payment`;
        await insistOn(() => api().post(payment, {}, { 'Idempotency-Key': `payment ${id}` }));
        return paidOnce(installation, id, calm);
      };
    },
  },
  runs: {
    statement: /payout_attempt/,
    begin: async (installation) => {
      const { api, id } = await plantedMerchant(installation);
      return async (calm) => {
        const run = { idempotency_key: `run ${id}`, execute_now: true };
        await insistOn(() => api().post('/payout_runs', run));
        return paidOnce(installation, id, calm);
      };
    },
  },
  'the due sweep': {
    statement: /update commission set state = 'due'/,
    begin: async (installation) => {
      const { id } = await plantedMerchant(installation);
      // The commissions are pending until the kills begin.
      await installation.ask(
        `with pending as (update commission set state = 'pending', due_at = '2999-01-01' where account_id = $1 returning id),
           taken as (delete from payout_item where commission_id in (select id from pending))
         select`,
        [id],
      );
      await installation.ask('delete from payout where account_id = $1', [id]);
      return async (calm) => {
        await installation.ask(`update commission set due_at = now() where account_id = $1`, [id]);
        const fallen = async () => {
          const [row] = await installation.ask<{ due: number; in_payouts: number; cents: number; announced: number }>(
            `select count(*) filter (where state = 'due')::int as due, count(payout_item.payout_id)::int as in_payouts,
               (select coalesce(sum(amount_cents), 0)::int from payout where account_id = $1) as cents,
               (select count(*)::int from event where account_id = $1 and type = 'commission.due') as announced
             from commission left join payout_item on payout_item.commission_id = commission.id where account_id = $1`,
            [id],
          );
          return row!;
        };
        const resumedMs = await until(async () => (await fallen()).due === PAYOUTS, calm);
        const { due, in_payouts, cents, announced } = await fallen();
        const fewest = Math.min(due, in_payouts, cents / CENTS, announced);
        const most = Math.max(due, in_payouts, cents / CENTS, announced);
        return { items: PAYOUTS, lost: Math.max(0, PAYOUTS - fewest), doubled: Math.max(0, most - PAYOUTS), resumedMs };
      };
    },
  },
  mails: {
    statement: /update outgoing_mail|delete from outgoing_mail where id/,
    begin: async (installation) => {
      const { api, account, id } = await merchant(installation);
      const { campaign } = await program(account);
      return async (calm) => {
        const items = 40;
        await inParallel(4, items, async (nth) => {
          const invitation = { kind: 'affiliate', email: `${nth}.${id}@example.com`, campaign_id: campaign.id };
          await insistOn(() => api().post('/invitations', invitation, { 'Idempotency-Key': `invitation ${nth}` }));
        });
        const arrived = () =>
          new Set(
            installation.smtp.mails.flatMap(({ recipients }) => recipients).filter((to) => to.endsWith(`.${id}@example.com`)),
          );
        await calm;
        // Moves the clock past the leases that the killed processes held. A lease lasts two minutes.
        await installation.moveClock(MAIL_LEASE_MS);
        const resumedMs = await until(async () => arrived().size === items, calm);
        await installation.moveClock(0);
        return { items, lost: items - arrived().size, doubled: 0, resumedMs };
      };
    },
  },
};

/** For each kind of work: kills processes repeatedly while they do that work. */
export const KILL_FAULTS: Fault[] = Object.entries(WORK).map(([kind, { statement, begin }]) => ({
  name: `killed inside ${kind}`,
  strike: async (installation) => {
    const work = await begin?.(installation);
    const before = (await deaths(installation)).length;
    const enough = Promise.withResolvers<void>();
    const count = async () => {
      if ((await deaths(installation)).length - before >= KILLS) enough.resolve();
    };
    installation.restarts.on('death', () => void count());
    await writeFile(installation.killPoint, statement.source);
    const calm = Promise.withResolvers<void>();
    const done = work?.(calm.promise);
    await Promise.race([enough.promise, done ?? enough.promise]);
    await writeFile(installation.killPoint, '');
    installation.restarts.removeAllListeners('death');
    await delay(DISARMED_MS);
    await installation.allUp();
    calm.resolve();
    const tally = await done;
    const kills = (await deaths(installation)).slice(before);
    if (kills.length === 0) throw new Error(`No process died inside ${kind}.`);
    return { items: 0, lost: 0, doubled: 0, ...tally, kills: kills.length };
  },
}));

async function deaths({ killPoint }: Installation): Promise<string[]> {
  const text = await readFile(`${killPoint}.deaths`, 'utf8').catch(() => '');
  return text.split('\n').filter((line) => line !== '');
}

async function merchant(installation: Installation) {
  const { id, headers } = await newMerchant(installation);
  // Read at each call, because `rest` listens on another port after a restart.
  const api = () => new Api(installation.rest.url, headers);
  return { id, api, account: { id, api: api() } };
}

async function plantedMerchant(installation: Installation) {
  const { id, api, account } = await merchant(installation);
  const { databaseUrl } = installation;
  await plantPayouts({ databaseUrl, clock: { instant: () => new Date().toISOString() } }, account, { affiliates: PAYOUTS });
  return { id, api };
}

/**
 * Waits until all payouts are paid, or until the time limit. Then counts payouts that are unpaid or were not announced, and payouts that were
 * announced more than once.
 */
async function paidOnce(installation: Installation, accountId: string, calm: Promise<void>): Promise<Tally> {
  const count = async () => {
    const [row] = await installation.ask<{ paid: number; announced: number; subjects: number }>(
      `select (select count(*)::int from payout where account_id = $1 and status = 'paid') as paid, count(*)::int as announced,
         count(distinct subject_id)::int as subjects
       from event where account_id = $1 and type = 'payout.paid'`,
      [accountId],
    );
    return row!;
  };
  const resumedMs = await until(async () => (await count()).paid === PAYOUTS, calm);
  const { paid, announced, subjects } = await count();
  return { items: PAYOUTS, lost: PAYOUTS - Math.min(paid, subjects), doubled: announced - subjects, resumedMs };
}

/** Sends the same request until it succeeds. */
async function insistOn(request: () => Promise<Reply>): Promise<Reply> {
  let success: Reply | undefined;
  await insist(async () => {
    const reply = await request().catch(() => null);
    if (reply === null || [409, 429, 503].includes(reply.status)) return false;
    if (reply.status >= 300) throw new Error(`${reply.status} ${reply.text}`);
    success = reply;
    return true;
  });
  return success!;
}

async function insist(attempt: () => Promise<boolean>): Promise<void> {
  while (!(await attempt())) await delay(RETRY_MS);
}

/**
 * Waits for background work. After the limit it returns without an error, and the tally shows what is missing.
 *
 * @returns milliseconds since `calm`; 0 if `calm` has not settled yet
 */
async function until(isDone: () => Promise<boolean>, calm: Promise<void>): Promise<number> {
  let start = Infinity;
  void calm.then(() => (start = performance.now()));
  while (!(await isDone()) && performance.now() - start < RESUME_MS) await delay(RETRY_MS);
  return Math.max(0, Math.round(performance.now() - start));
}

async function inParallel(clients: number, items: number, work: (nth: number) => Promise<void>): Promise<void> {
  const waiting = Array.from({ length: items }, (_, nth) => nth)[Symbol.iterator]();
  await Promise.all(
    Array.from({ length: clients }, async () => {
      for (const nth of waiting) await work(nth);
    }),
  );
}
