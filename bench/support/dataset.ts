import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import {
  createClickPartition,
  createAccount,
  openDatabase,
  createSecretBox,
  migrate,
  systemClock,
  type Database,
  type Services,
} from '@affiliate/core';
import { Client } from 'pg';

export interface BenchDatabase {
  url: string;
  services: Services;
  client: Client;
  stop(): Promise<void>;
}

/** Starts a separate PostgreSQL server. The server is removed by `stop` or when this process ends, even if it is killed (postgres-process.ts). */
export async function openBenchPostgres(): Promise<{ url: string; stop: () => Promise<void> }> {
  // Detached, so that Ctrl-C does not end the child before the child has removed its files.
  const child = fork(fileURLToPath(new URL('postgres-process.ts', import.meta.url)), { detached: true });
  const exited = once(child, 'exit');
  const failed = exited.then(() => Promise.reject(new Error('PostgreSQL for the benchmark did not start.')));
  const [{ url }] = (await Promise.race([once(child, 'message'), failed])) as [{ url: string }];
  return {
    url,
    stop: async () => {
      child.disconnect();
      await exited;
    },
  };
}

/** The key that seals payout addresses of the benchmarks' accounts. */
const SECRET_KEY = 'the secret key of the benchmarks';

/** Returns the services for procedure calls in a benchmark, with the system's clock. Logs and wake-ups are discarded. */
export function benchServices(database: Database): Services {
  return {
    database,
    clock: systemClock,
    log: { debug() {}, info() {}, warn() {}, error() {} },
    secrets: createSecretBox(SECRET_KEY),
    jobs: { send: () => undefined },
    publicUrl: 'http://127.0.0.1',
  } as unknown as Services;
}

/** Creates an account with the currency USD and an API key. */
export function newAccount(services: Services, name = 'Bench') {
  return createAccount(services, {
    name,
    currency: 'USD',
    ownerEmail: `owner@${name.toLowerCase()}.example.com`,
    ownerPassword: 'correct horse battery staple',
  });
}

/** Opens a migrated database on a separate PostgreSQL server. `stop` removes both. */
export async function openBenchDatabase(): Promise<BenchDatabase> {
  const postgres = await openBenchPostgres();
  const database = await openDatabase({ url: postgres.url });
  await migrate(database);
  const client = new Client(postgres.url);
  await client.connect();
  const services = benchServices(database);
  return {
    url: postgres.url,
    services,
    client,
    stop: async () => {
      await client.end();
      await database.close();
      await postgres.stop();
    },
  };
}

/** Creates webhook endpoints of the account, all with the same URL. */
export async function seedEndpoints(
  { client, services }: Pick<BenchDatabase, 'client' | 'services'>,
  { account, url, number, types }: { account: string; url: string; number: number; types: string[] },
): Promise<void> {
  await client.query(
    `insert into webhook_endpoint (id, account_id, name, url, event_types, active, sealed_secret, created_at, updated_at)
     select new_id('whe', now()), $1, 'Bench ' || i, $2, $3, true, $4, now(), now() from generate_series(1, $5) i`,
    [account, url, types, services.secrets.seal('whsec_benchmark'), number],
  );
}

/**
 * Moves the commissions of `seedProgram` into open payouts, one per affiliate. The due sweep would do the same, but in batches
 * and with events.
 */
export async function seedOpenPayouts(client: Client): Promise<void> {
  const statements = [
    `update commission set state = 'due' where state = 'pending'`,
    `insert into payout (id, account_id, affiliate_id, currency, status, amount_cents, commissions_count, created_at, updated_at)
     select new_id('payout', now()), account_id, affiliate_id, currency, 'open', sum(amount_cents), count(*), now(), now()
     from commission group by account_id, affiliate_id, currency`,
    `insert into payout_item (commission_id, payout_id)
     select commission.id, payout.id from commission join payout using (affiliate_id, currency)`,
    'vacuum analyze',
  ];
  for (const statement of statements) await client.query(statement);
}

/**
 * Creates an account with a campaign and `affiliates` affiliates, each with a referral. `commissions` pending commissions, all past their due
 * date, are spread over the affiliates. SQL statements create the rows.
 */
export async function seedProgram(
  client: Client,
  { affiliates, commissions, secretKey = SECRET_KEY }: { affiliates: number; commissions: number; secretKey?: string },
): Promise<string> {
  const account = 'acct_bench';
  const now = new Date().toISOString();
  const past = new Date(Date.now() - 86_400_000).toISOString();
  const address = createSecretBox(secretKey).seal(JSON.stringify({ email: 'a@example.com' }));
  const statements = [
    `insert into account (id, name, currency, slug, created_at, updated_at) values ('${account}', 'Bench', 'USD', 'bench', '${now}', '${now}')`,
    `insert into campaign (id, account_id, name, slug, url, private, private_tokens, reward_type, commission_basis_points, minimum_payout_cents,
       minimum_payout_currency, days_before_referrals_expire, days_until_commissions_are_due, customers_visible_to_affiliates,
       sale_description_visible_to_affiliates, parameter_type, is_default, created_at, updated_at)
     values ('camp_bench', '${account}', 'Bench', 'bench', 'https://x.example.com', false, false, 'percent', 1000, 0, 'USD', 60, 30, false, true, 'query', true, '${now}', '${now}')`,
    `insert into affiliate (id, account_id, campaign_id, email, state, created_at, updated_at)
     select 'aff_' || i, '${account}', 'camp_bench', 'a' || i || '@example.com', 'active', '${now}', '${now}' from generate_series(1, ${affiliates}) i`,
    `insert into payout_method (id, account_id, affiliate_id, kind, sealed_address, hint, version, since, set_by, created_at, updated_at)
     select 'pmth_' || i || kind, '${account}', 'aff_' || i, kind, '${address}', 'a…@example.com', 1, '${now}', 'bench', '${now}', '${now}'
     from generate_series(1, ${affiliates}) i cross join unnest(array['paypal', 'wise']) kind`,
    `insert into referral (id, account_id, affiliate_id, campaign_id, conversion_state, converted_at, created_at, updated_at)
     select 'ref_' || i, '${account}', 'aff_' || i, 'camp_bench', 'conversion', '${past}', '${past}', '${past}' from generate_series(1, ${affiliates}) i`,
    `insert into sale (id, account_id, referral_id, affiliate_id, charge_amount_cents, tax_amount_cents, refund_amount_cents, currency, charged_at, created_at, updated_at)
     select 'sale_' || i, '${account}', 'ref_' || (1 + i % ${affiliates}), 'aff_' || (1 + i % ${affiliates}), 10000, 0, 0, 'USD', '${past}', '${past}', '${past}'
     from generate_series(1, ${commissions}) i`,
    `insert into commission (id, account_id, campaign_id, affiliate_id, referral_id, sale_id, kind, state, amount_cents, currency, basis_points, due_at, created_at, updated_at)
     select 'com_' || i, '${account}', 'camp_bench', 'aff_' || (1 + i % ${affiliates}), 'ref_' || (1 + i % ${affiliates}), 'sale_' || i, 'sale', 'pending', 1000, 'USD', 1000,
       '${past}', '${past}', '${past}'
     from generate_series(1, ${commissions}) i`,
    // As in production, empty tables have no statistics: PostgreSQL would plan as if they stayed empty.
    'analyze account, campaign, affiliate, payout_method, referral, sale, commission',
  ];
  for (const statement of statements) await client.query(statement);
  return account;
}

/**
 * Creates a ledger for the account, spread over the last year. For every 20 commissions there is one affiliate, with a link. Each affiliate has
 * a customer, the referral that earned the commissions, and another referral for new sales. A fifth of the commissions are pending, a fifth are
 * due, half are paid and a tenth are voided. The due commissions are in open payouts. SQL statements create the rows.
 */
export async function seedLedger(client: Client, account: string, commissions: number): Promise<void> {
  const affiliates = Math.ceil(commissions / 20);
  const start = `date_trunc('milliseconds', now()) - interval '365 days'`;
  const at = `${start} + i * interval '364 days' / ${commissions}`;
  const statements = [
    `insert into campaign (id, account_id, name, slug, url, private, private_tokens, reward_type, commission_basis_points, minimum_payout_cents,
       minimum_payout_currency, days_before_referrals_expire, days_until_commissions_are_due, customers_visible_to_affiliates,
       sale_description_visible_to_affiliates, parameter_type, is_default, created_at, updated_at)
     values ('camp_bench', '${account}', 'Bench', 'bench', 'https://shop.example.com/', false, false, 'percent', 1000, 0, 'USD', 60, 30, false, true, 'query', true,
       ${start}, ${start})`,
    `insert into affiliate (id, account_id, campaign_id, email, first_name, state, created_at, updated_at)
     select 'aff_' || i, '${account}', 'camp_bench', 'a' || i || '@example.com', 'Ada', 'active', ${start}, ${start} from generate_series(0, ${affiliates - 1}) i`,
    `insert into link (id, account_id, affiliate_id, campaign_id, url, token, created_at, updated_at)
     select 'link_' || i, '${account}', 'aff_' || i, 'camp_bench', 'https://shop.example.com/', 'ada' || i, ${start}, ${start} from generate_series(0, ${affiliates - 1}) i`,
    `insert into customer (id, account_id, email, created_at, updated_at)
     select 'cus_' || i, '${account}', 'c' || i || '@example.com', ${start}, ${start} from generate_series(0, ${affiliates - 1}) i`,
    `insert into customer_identity (account_id, kind, value, customer_id, verified, source, created_at)
     select account_id, 'email', email, id, true, 'merchant', created_at from customer`,
    `insert into referral (id, account_id, affiliate_id, campaign_id, link_id, customer_id, conversion_state, converted_at, created_at, updated_at)
     select 'ref_' || i, '${account}', 'aff_' || i, 'camp_bench', 'link_' || i, 'cus_' || i, 'conversion', ${start}, ${start}, ${start} from generate_series(0, ${affiliates - 1}) i`,
    `insert into referral (id, account_id, affiliate_id, campaign_id, conversion_state, converted_at, created_at, updated_at)
     select 'ref_new_' || i, '${account}', 'aff_' || i, 'camp_bench', 'conversion', ${start}, ${start}, ${start} from generate_series(0, ${affiliates - 1}) i`,
    `insert into sale (id, account_id, referral_id, affiliate_id, customer_id, external_id, charge_amount_cents, tax_amount_cents, refund_amount_cents, currency, charged_at,
       created_at, updated_at)
     select 'sale_' || i, '${account}', 'ref_' || i % ${affiliates}, 'aff_' || i % ${affiliates}, 'cus_' || i % ${affiliates}, 'order-' || i, 10000, 0, 0, 'USD',
       ${at}, ${at}, ${at} from generate_series(0, ${commissions - 1}) i`,
    `insert into commission (id, account_id, campaign_id, affiliate_id, referral_id, sale_id, kind, state, amount_cents, currency, basis_points, due_at, paid_at, voided_at,
       void_reason, created_at, updated_at)
     select new_id('com', at), '${account}', 'camp_bench', 'aff_' || i % ${affiliates}, 'ref_' || i % ${affiliates}, 'sale_' || i, 'sale', state, 1000, 'USD', 1000,
       at + interval '30 days', case state when 'paid' then at end, case state when 'voided' then at end, case state when 'voided' then 'bench' end, at, at
     from (select i, ${at} as at, (array['pending', 'due', 'paid', 'paid', 'paid', 'due', 'pending', 'paid', 'voided', 'paid'])[1 + (i / ${affiliates}) % 10] as state
       from generate_series(0, ${commissions - 1}) i) made`,
    `insert into payout (id, account_id, affiliate_id, currency, status, amount_cents, commissions_count, created_at, updated_at)
     select new_id('payout', max(created_at)), account_id, affiliate_id, currency, 'open', sum(amount_cents), count(*), max(created_at), max(created_at)
     from commission where state = 'due' group by account_id, affiliate_id, currency`,
    `insert into payout_item (commission_id, payout_id)
     select commission.id, payout.id from commission join payout using (affiliate_id, currency) where commission.state = 'due'`,
    'vacuum analyze',
    // As in production, the partition of a day has no statistics before its first clicks.
    ...daysFromNow(2).map(createClickPartition),
    'checkpoint',
  ];
  for (const statement of statements) await client.query(statement);
}

/** Returns today and the following days (UTC), `count` in all. */
function daysFromNow(count: number): string[] {
  return Array.from({ length: count }, (_, i) => new Date(Date.now() + i * 86_400_000).toISOString().slice(0, 10));
}
