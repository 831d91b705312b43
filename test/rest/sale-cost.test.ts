/**
 * The cost of a sale does not grow with the sales that its customer has made before, whether or not their commissions were paid, nor with the payments of
 * other customers.
 */
import { callProcedure, openDatabase, retryPspEvents, type Services } from '@affiliate/core';
import { sql } from 'kysely';
import type { Pool } from 'pg';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPool } from '../support/postgres.ts';
import { must, program, type Program, refer, sell, unique } from '../support/program.ts';
import { type TestAccount, type TestService, startService } from '../support/service.ts';

/** Connections of the service in `startService`. */
const POOL = 8;
/** Sales that are measured together. */
const TIMES = 10;
/** SALE_COST_PAST=2000 measures customers with that many sales. */
const PAST = Number(process.env['SALE_COST_PAST'] ?? 1_500);
/** Payments of others. With fewer, a scan of all payments would hardly show. */
const OTHERS = 3 * PAST;

const YEARS = 5 * 365 * 24 * 60;
const MONTHLY = { amount_cents: 1_000_000, currency: 'USD', window: 'month' };
const RULES = [
  { name: 'First three', when: { sale_number: { to: 3 } }, pay: { percent: 30 }, position: 1 },
  {
    name: 'First year',
    when: { age_months: { to: 12 }, customer: 'returning' },
    pay: { percent: 15 },
    position: 2,
  },
  { name: 'Later', pay: { percent: 5 }, cap: { ...MONTHLY, per: 'referral' }, position: 3 },
];

let service: TestService;
let account: TestAccount;
let friends: Program;
/** A program whose campaign pays only for the first three sales of a referral, and only for a year. */
let limited: Program;
/** A program whose campaign has rules about the number of the sale, the age and the kind of the customer, with caps per month. */
let ruled: Program;
let database: Pool;
let endPool: () => Promise<void>;
let ofNewCustomer: number;

beforeAll(async () => {
  service = await startService({ writesRows: true });
  account = await service.createAccount();
  friends = await program(account);
  limited = await program(account, { max_commissions: 3, max_commission_period_months: 12 });
  ruled = await program(account);
  for (const rule of RULES) await must(account, '/reward_rules', { ...rule, campaign_id: ruled.campaign.id });
  ({ pool: database, end: endPool } = openPool(service.databaseUrl, 1));
  // The rules are older than the past sales.
  await database.query(`update campaign set rewarded_since = '2000-01-01' where rewarded_since is not null`);
  await database.query(`update reward_rule_version set in_force_from = '2000-01-01'`);
  ofNewCustomer = await costOf(await customerWith(1, { minutes: 60, isPaid: false }));
}, 120_000);
afterAll(async () => {
  await endPool();
  await service.stop();
});

interface Past {
  minutes: number;
  isPaid: boolean;
  /** True if the customer was referred in the campaign with limits. All past sales but three are refused. */
  isLimited?: boolean;
  /** True if the customer was referred in the campaign with rules. */
  isRuled?: boolean;
}

/** Creates a customer with past sales, whose commissions are pending or paid. Returns the email address. */
async function customerWith(sales: number, { minutes, isPaid, isLimited = false, isRuled = false }: Past): Promise<string> {
  const email = `${unique('grace')}@example.com`;
  const referral = await refer(account, isLimited ? limited : isRuled ? ruled : friends);
  const start = Date.parse(service.clock.instant());
  const charged_at = new Date(start - minutes * 60_000).toISOString();
  await service.services.database.kysely
    .updateTable('referral')
    .set({ created_at: charged_at })
    .where('id', '=', referral.id)
    .execute();
  const { sale, commission } = await sell(account, { referral_id: referral.id, customer_email: email, charged_at });
  const columns = (table: string, changed: Record<string, string>, key?: string) => copies(sales - 1, table, changed, key);
  const saleId = `'${sale.id}' || n`;
  const at = `charged_at + n * interval '${minutes} minutes' / ${sales}`;
  await database.query(
    await columns('sale', { id: saleId, external_id: `external_id || '-' || n`, charged_at: at, created_at: at }),
    [sale.id],
  );
  await database.query(await columns('commission', { id: `'${commission!.id}' || n`, sale_id: saleId }), [commission!.id]);
  const copied = { commission_id: `commission_id || n` };
  await database.query(await columns('commission_line', copied, 'commission_id'), [commission!.id]);
  if (isRuled)
    await database.query(
      `update commission_line set rule_id = (select rule_id from reward_rule_version where cap is not null)
       where commission_id like $1 || '_%' and commission_id <> $1`,
      [commission!.id],
    );
  if (isLimited) {
    const refused = `sale where customer_id = '${sale.customer_id}' order by charged_at offset 3`;
    await database.query(`delete from commission where sale_id in (select id from ${refused})`);
    await database.query(
      `update sale set no_commission_reason = 'max_commissions_reached' where id in (select id from ${refused})`,
    );
  }
  if (isPaid)
    await database.query(
      `update commission set state = 'paid', paid_at = now() from sale where sale.id = commission.sale_id and sale.customer_id = $1`,
      [sale.customer_id],
    );
  await database.query('vacuum (analyze)');
  return email;
}

/** Returns a statement that copies a row of a table, whose key is its parameter. Some columns of the nth copy are changed. */
async function copies(times: number, table: string, changed: Record<string, string>, key = 'id'): Promise<string> {
  const { rows } = await database.query<{ name: string }>(
    `select column_name as name from information_schema.columns where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER'`,
    [table],
  );
  const names = rows.map(({ name }) => name);
  return `insert into ${table} (${names.join(', ')}) select ${names.map((name) => changed[name] ?? name).join(', ')}
    from ${table}, generate_series(1, ${times}) n where ${table}.${key} = $1`;
}

/** Returns the number of blocks that PostgreSQL reads from memory or disk for a sale of the customer. */
function costOf(customer_email: string): Promise<number> {
  return costOfEach((services) =>
    callProcedure(
      { services, requestId: 'cost', principal: { kind: 'system', account_id: account.id }, surface: 'v1', reply: {} },
      'tracking.recordSale',
      { external_id: unique('order'), customer_email, amount_cents: 10_000, currency: 'USD' },
    ),
  );
}

/** Returns the number of blocks that PostgreSQL reads each time that something happens. */
async function costOfEach(happens: (services: Services) => Promise<unknown>): Promise<number> {
  await reportBlocks();
  await blocksOf(happens, 1);
  const few = await blocksOf(happens, TIMES);
  const many = await blocksOf(happens, 3 * TIMES);
  return (many - few) / (2 * TIMES);
}

/** Makes all connections report the blocks that they have read so far. Otherwise they would report them later, during a measurement. */
async function reportBlocks(): Promise<void> {
  // At the same time, so that each connection of the pool gets one of the queries.
  const { kysely } = service.services.database;
  const report = sql`select pg_stat_force_next_flush(), pg_sleep(0.1)`;
  await Promise.all(Array.from({ length: POOL }, () => report.execute(kysely)));
  await database.query('select pg_stat_force_next_flush()');
}

async function blocksOf(happens: (services: Services) => Promise<unknown>, times: number): Promise<number> {
  const before = await blocksSoFar();
  const own = await openDatabase({ url: service.databaseUrl, poolSize: 1 });
  // Jobs would run meanwhile on other connections, whose blocks count too.
  const services: Services = { ...service.services, database: own, jobs: { send: () => undefined } };
  for (let time = 0; time < times; time += 1) await happens(services);
  // The connection then reports the blocks that it has read.
  await sql`select pg_stat_force_next_flush()`.execute(own.kysely);
  const after = await blocksSoFar();
  await own.close();
  return after - before;
}

async function blocksSoFar(): Promise<number> {
  const { rows } = await database.query<{ blocks: number }>(
    `select (sum(blks_hit) + sum(blks_read))::int as blocks from pg_stat_database where datname = current_database()`,
  );
  return rows[0]!.blocks;
}

/** Returns how many rows scans of whole tables have read so far, for the tables that have a row of each payment. */
async function scannedRows(): Promise<Map<string, number>> {
  const { rows } = await database.query<{ table: string; scanned: string }>(
    `select relname as "table", seq_tup_read as scanned from pg_stat_user_tables
     where relname in ('customer', 'customer_identity', 'referral', 'attribution_claim', 'sale', 'payment', 'commission')`,
  );
  return new Map(rows.map(({ table, scanned }) => [table, Number(scanned)]));
}

it.each([
  [`${PAST} paid sales`, { minutes: 100_000, isPaid: true }],
  [`${PAST} unpaid sales`, { minutes: 100_000, isPaid: false }],
  [`${PAST} sales of the last ten minutes`, { minutes: 10, isPaid: false }],
  [`${PAST} sales in a campaign with limits`, { minutes: 100_000, isPaid: false, isLimited: true }],
  [`${PAST} paid sales in a campaign with rules`, { minutes: YEARS, isPaid: true, isRuled: true }],
] as [string, Past][])(
  'a sale of a customer with %s costs at most 1.5 times as much as one of a new customer',
  { timeout: 120_000 },
  async (name, past) => {
    const ofNew = past.isRuled ? await costOf(await customerWith(1, { ...past, minutes: 60 })) : ofNewCustomer;
    const cost = await costOf(await customerWith(PAST, past));
    process.stdout.write(
      `Blocks of a sale of a customer with ${name}: ${Math.round(cost)}, of a new customer: ${Math.round(ofNew)}\n`,
    );
    expect(cost).toBeLessThanOrEqual(1.5 * ofNew);
  },
);

it(
  `a payment that a source tells scans no table, and costs at most 1.5 times as much, beside ${OTHERS} payments of others`,
  { timeout: 120_000 },
  async () => {
    const { body: source } = await account.api.send<{ events_url: string; signing_secret: string }>(
      'POST',
      '/api/settings/v1/connections',
      { body: { source: 'facts' } },
    );
    let turn = 0;
    /** Tells the payment of a new customer whom the affiliate sent, and applies it. Every other payment names the affiliate's link instead of a referral. */
    const tell = async (services: Services) => {
      turn += 1;
      const reference = turn % 2 === 0 ? friends.link.token : (await refer(account, friends)).id;
      const id = unique('fact');
      const charged = { amount: 12_000, tax: 2_000, currency: 'USD', at: service.clock.instant() };
      const payer = { ids: [unique('cus')], email: `${unique('grace')}@example.com` };
      const references = [{ value: reference, at: service.clock.instant() }];
      const data = { names: [`order:${id}`], version: 1, live: true, charged, payer, references };
      const body = JSON.stringify({ type: 'payment.seen', timestamp: service.clock.instant(), data });
      const at = service.clock.now();
      const reply = await fetch(`${service.url}${new URL(source.events_url).pathname}`, {
        method: 'POST',
        body,
        headers: {
          'Content-Type': 'application/json',
          'Webhook-Id': id,
          'Webhook-Timestamp': String(Math.floor(at.getTime() / 1_000)),
          'Webhook-Signature': new Webhook(source.signing_secret).sign(id, at, body),
        },
      });
      expect(reply.status).toBe(202);
      await retryPspEvents(services);
    };
    const alone = await costOfEach(tell);
    const { rows } = await database.query<Record<'sale' | 'commission' | 'customer' | 'referral', string>>(
      `select sale.id as sale, commission.id as commission, sale.customer_id as customer, sale.referral_id as referral
       from sale join payment on payment.sale_id = sale.id join commission on commission.sale_id = sale.id
         join referral on referral.id = sale.referral_id
       order by referral.link_id nulls last limit 1`,
    );
    const [told] = rows as [(typeof rows)[0]];
    const [sale_id, customer_id, referral_id] = [told.sale, told.customer, told.referral].map((id) => `'${id}' || n`) as [
      string,
      string,
      string,
    ];
    const names = 'array[names[1] || n]';
    const copy = async (table: string, key: string, changed: Record<string, string>, column = 'id') =>
      void (await database.query(await copies(OTHERS, table, changed, column), [key]));
    await copy('customer', told.customer, { id: customer_id });
    await copy('customer_identity', told.customer, { value: `value || n`, customer_id }, 'customer_id');
    await copy('referral', told.referral, { id: referral_id, customer_id });
    await copy('attribution_claim', told.referral, { id: `id || n`, customer_id, referral_id }, 'referral_id');
    await copy('sale', told.sale, { id: sale_id, customer_id, referral_id, names });
    await copy('payment', told.sale, { sale_id, names }, 'sale_id');
    await copy('commission', told.commission, { id: `'${told.commission}' || n`, sale_id, referral_id });
    await database.query('vacuum (analyze)');
    const before = await scannedRows();
    const beside = await costOfEach(tell);
    const scanned = [...(await scannedRows())].filter(([table, rows]) => rows - before.get(table)! >= OTHERS);
    expect(scanned).toEqual([]);
    process.stdout.write(`Blocks of a payment beside ${OTHERS} others: ${Math.round(beside)}, alone: ${Math.round(alone)}\n`);
    expect(beside).toBeLessThanOrEqual(1.5 * alone);
  },
);
