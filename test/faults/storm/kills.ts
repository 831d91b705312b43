import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { plantPayouts } from '../../payouts/many-payouts.ts';
import { Api, type Reply } from '../../support/http.ts';
import { program } from '../../support/program.ts';
import { type Installation, newMerchant } from './installation.ts';
import type { Fault, Tally } from './storm.ts';

/** Deaths of each kind, in which the three processes take part as they do the work. */
const KILLS = Number(process.env['KILLS'] ?? 6);
const RETRY_MS = 200;
/** Longest wait for work that goes on after the last death. */
const FINISH_MS = 120_000;
/** More than a process may take to send a message that it has claimed. */
const MAIL_LEASE_MS = 180_000;
const PAYOUTS = 2_500;
const CENTS = 1_000;

/** Work in whose midst processes are killed. */
interface Work {
  /** Statements that only this work executes. */
  statement: RegExp;
  /** Does the work, whatever dies meanwhile, and compares the outcome. Missing for what the storm's own sales cause. */
  begin?: (installation: Installation) => Promise<() => Promise<Tally>>;
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
          // A click has no key: one that was not answered may have been recorded.
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
    statement: /update payout set status = 'paid'|payout_export/,
    begin: async (installation) => {
      const { api, id } = await plantedMerchant(installation);
      return async () => {
        const made = await insistOn(() => api().post('/payout_exports', {}, { 'Idempotency-Key': `export ${id}` }));
        const payment = `/payout_exports/${String(made.body['id'])}/payment`;
        await insistOn(() => api().post(payment, {}, { 'Idempotency-Key': `payment ${id}` }));
        return paidOnce(installation, id);
      };
    },
  },
  runs: {
    statement: /payout_run_item/,
    begin: async (installation) => {
      const { api, id } = await plantedMerchant(installation);
      return async () => {
        const run = { idempotency_key: `run ${id}`, execute_now: true };
        await insistOn(() => api().post('/payout_runs', run));
        return paidOnce(installation, id);
      };
    },
  },
  'the due sweep': {
    statement: /update commission set state = 'due'/,
    begin: async (installation) => {
      const { id } = await plantedMerchant(installation);
      // Held back until the kills begin.
      await installation.ask(
        `with pending as (update commission set state = 'pending', due_at = '2999-01-01' where account_id = $1 returning id),
           taken as (delete from payout_item where commission_id in (select id from pending))
         select`,
        [id],
      );
      await installation.ask('delete from payout where account_id = $1', [id]);
      return async () => {
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
        await until(async () => (await fallen()).due === PAYOUTS);
        const { due, in_payouts, cents, announced } = await fallen();
        const fewest = Math.min(due, in_payouts, cents / CENTS, announced);
        const most = Math.max(due, in_payouts, cents / CENTS, announced);
        return { items: PAYOUTS, lost: Math.max(0, PAYOUTS - fewest), doubled: Math.max(0, most - PAYOUTS) };
      };
    },
  },
  mails: {
    statement: /update outgoing_mail|delete from "outgoing_mail" where "id"/,
    begin: async (installation) => {
      const { api, account, id } = await merchant(installation);
      const { campaign } = await program(account);
      return async () => {
        const items = 40;
        await inParallel(4, items, async (nth) => {
          const invitation = { kind: 'affiliate', email: `${nth}.${id}@example.com`, campaign_id: campaign.id };
          await insistOn(() => api().post('/invitations', invitation, { 'Idempotency-Key': `invitation ${nth}` }));
        });
        const arrived = () =>
          new Set(
            installation.smtp.mails.flatMap(({ recipients }) => recipients).filter((to) => to.endsWith(`.${id}@example.com`)),
          );
        // A killed process has claimed messages for two minutes.
        await installation.moveClock(MAIL_LEASE_MS);
        await until(async () => arrived().size === items);
        await installation.moveClock(0);
        return { items, lost: items - arrived().size, doubled: 0 };
      };
    },
  },
};

/** Kills processes inside each kind of work, again and again, while the work goes on. */
export const KILL_FAULTS: Fault[] = Object.entries(WORK).map(([kind, { statement, begin }]) => ({
  name: `killed inside ${kind}`,
  strike: async (installation) => {
    const work = await begin?.(installation);
    const before = (await deaths(installation)).length;
    const enough = Promise.withResolvers<void>();
    let restarts = 0;
    const count = () => {
      restarts += 1;
      if (restarts >= KILLS) enough.resolve();
    };
    installation.restarts.on('restart', count);
    await writeFile(installation.killPoint, statement.source);
    const done = work?.();
    await Promise.race([enough.promise, done ?? enough.promise]);
    await writeFile(installation.killPoint, '');
    installation.restarts.off('restart', count);
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
  // `rest` listens on another port after each start.
  const api = () => new Api(installation.rest.url, headers);
  return { id, api, account: { id, api: api() } };
}

async function plantedMerchant(installation: Installation) {
  const { id, api, account } = await merchant(installation);
  const { databaseUrl } = installation;
  await plantPayouts({ databaseUrl, clock: { instant: () => new Date().toISOString() } }, account, { affiliates: PAYOUTS });
  return { id, api };
}

/** Counts payouts that were not paid, and payments that were announced more than once. */
async function paidOnce(installation: Installation, accountId: string): Promise<Tally> {
  const count = async () => {
    const [row] = await installation.ask<{ paid: number; announced: number; subjects: number }>(
      `select (select count(*)::int from payout where account_id = $1 and status = 'paid') as paid, count(*)::int as announced,
         count(distinct subject_id)::int as subjects
       from event where account_id = $1 and type = 'payout.paid'`,
      [accountId],
    );
    return row!;
  };
  await until(async () => (await count()).paid === PAYOUTS);
  const { paid, announced, subjects } = await count();
  return { items: PAYOUTS, lost: PAYOUTS - Math.min(paid, subjects), doubled: announced - subjects };
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

/** Waits for work in the background, and returns after the limit anyway: the tally then says what is missing. */
async function until(isDone: () => Promise<boolean>): Promise<void> {
  const start = performance.now();
  while (!(await isDone()) && performance.now() - start < FINISH_MS) await delay(RETRY_MS);
}

async function inParallel(clients: number, items: number, work: (nth: number) => Promise<void>): Promise<void> {
  const waiting = Array.from({ length: items }, (_, nth) => nth)[Symbol.iterator]();
  await Promise.all(
    Array.from({ length: clients }, async () => {
      for (const nth of waiting) await work(nth);
    }),
  );
}
