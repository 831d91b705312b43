import type { Client } from 'pg';

/** First and last names of the seeded people. A name begins with each pair of letters about as often as real ones do. */
const FIRST = `array['Mary','Anna','Martha','Peter','Johann','Lena','Karl','Ada','Grace','Alan','Edsger','Barbara','Donald','Margaret','Ken','Linus','Tim','Radia',
  'Vint','Hedy','Sophie','Niklaus','Tony','Leslie','Frances','Jean','Kathleen','Betty','Ruth','Marlyn','Emil','Paul','Nina','Otto','Ute','Wim']`;
const LAST = `array['Miller','Smith','Meyer','Schulz','Novak','Rossi','Garcia','Silva','Kowalski','Jansen','Dubois','Moreau','Weber','Fischer','Wagner','Becker','Koch',
  'Richter','Klein','Wolf','Neumann','Braun','Zimmermann','Hartmann','Lange','Krause','Lehmann','Huber','Kaiser','Fuchs','Peters','Scholz','Vogel','Keller',
  'Frank','Berger']`;

/** Number of the seeded commissions, relative to those of `seedLedger`, that were entered by hand and have an id of the merchant. */
const MANUAL_SHARE = 0.1;

/**
 * Adds to the ledger of `seedLedger` until the account has as many affiliates, links, referrals and customers as commissions, all with names, and
 * campaigns, paid payouts, invitations and commissions that were entered by hand. SQL statements create the rows.
 */
export async function seedLongLists(client: Client, account: string, commissions: number): Promise<void> {
  const seeded = Math.ceil(commissions / 20);
  const campaigns = Math.min(1_000, Math.ceil(commissions / 100));
  const start = `date_trunc('milliseconds', now()) - interval '365 days'`;
  const at = `${start} + i * interval '364 days' / ${commissions}`;
  const each = `generate_series(${seeded}, ${commissions - 1}) i`;
  const first = `(${FIRST})[1 + i % 36]`;
  const last = `(${LAST})[1 + (i / 36) % 36] || (i / 1296)`;
  const campaign = `'camp_bench_' || i % ${campaigns}`;
  const statements = [
    'set synchronous_commit = off',
    `insert into campaign (id, account_id, name, slug, url, private, private_tokens, reward_type, commission_basis_points, minimum_payout_cents,
       minimum_payout_currency, days_before_referrals_expire, days_until_commissions_are_due, customers_visible_to_affiliates,
       sale_description_visible_to_affiliates, parameter_type, is_default, created_at, updated_at)
     select 'camp_bench_' || i, '${account}', 'Bench ' || i, 'bench-' || i, 'https://shop.example.com/', false, false, 'percent', 1000, 0, 'USD', 60, 30, false,
       true, 'query', false, ${start}, ${start} from generate_series(0, ${campaigns - 1}) i`,
    `insert into affiliate (id, account_id, campaign_id, email, first_name, last_name, state, created_at, updated_at)
     select 'aff_' || i, '${account}', ${campaign}, lower(${first} || '.' || ${last}) || '.' || i || '@example.com', ${first}, ${last}, 'active', ${at}, ${at} from ${each}`,
    `insert into link (id, account_id, affiliate_id, campaign_id, url, token, created_at, updated_at)
     select 'link_' || i, '${account}', 'aff_' || i, ${campaign}, 'https://shop.example.com/products/' || i, 'partner' || i, ${at}, ${at} from ${each}`,
    `insert into customer (id, account_id, email, name, first_name, last_name, created_at, updated_at)
     select 'cus_' || i, '${account}', lower(${first} || '.' || ${last}) || '.' || i || '@example.com', ${first} || ' ' || ${last}, ${first}, ${last}, ${at}, ${at} from ${each}`,
    `insert into customer_identity (account_id, kind, value, customer_id, verified, source, created_at)
     select account_id, 'email', email, id, true, 'merchant', created_at from customer where name is not null`,
    `insert into referral (id, account_id, affiliate_id, campaign_id, link_id, customer_id, conversion_state, created_at, updated_at)
     select 'ref_' || i, '${account}', 'aff_' || i, ${campaign}, 'link_' || i, 'cus_' || i, 'lead', ${at}, ${at} from ${each}`,
    `insert into commission (id, account_id, campaign_id, affiliate_id, kind, state, amount_cents, currency, due_at, note, created_by, external_id, created_at, updated_at)
     select new_id('com', at), '${account}', 'camp_bench', 'aff_' || i % ${seeded}, 'manual', 'pending', 1000, 'USD', at + interval '30 days', 'bench', 'bench',
       'entry-' || i, at, at from (select i, ${at} as at from generate_series(0, ${Math.ceil(commissions * MANUAL_SHARE) - 1}) i) made`,
    // One paid payout for all paid commissions of an affiliate in a month.
    `create temporary table settled as select id as commission_id, affiliate_id, account_id, currency, amount_cents, date_trunc('month', paid_at) as month
     from commission where state = 'paid'`,
    `create temporary table payment as
     select new_id('payout', month) as id, *, row_number() over () as number from (select account_id, affiliate_id, currency, month, sum(amount_cents) as amount_cents,
       count(*) as commissions from settled group by account_id, affiliate_id, currency, month) owed`,
    `insert into payout (id, account_id, affiliate_id, currency, status, amount_cents, commissions_count, payment_reference, paid_at, created_at, updated_at)
     select id, account_id, affiliate_id, currency, 'paid', amount_cents, commissions, 'PAY-' || number, month, month, month from payment`,
    `insert into payout_item (commission_id, payout_id)
     select settled.commission_id, payment.id from settled join payment using (affiliate_id, currency, month)`,
    'drop table settled, payment',
    // A paid payout of every eleventh other affiliate, so that each campaign has payouts.
    `insert into payout (id, account_id, affiliate_id, currency, status, amount_cents, commissions_count, payment_reference, paid_at, created_at, updated_at)
     select new_id('payout', at), '${account}', 'aff_' || i, 'USD', 'paid', 1000, 1, 'OLD-' || i, at, at, at
     from (select i, ${at} as at from generate_series(${seeded}, ${commissions - 1}, 11) i) made`,
    `insert into invitation (id, account_id, kind, email, campaign_id, status, token_hash, expires_at, created_at, updated_at)
     select new_id('inv', at), '${account}', 'affiliate', 'invited' || i || '@example.com', 'camp_bench', 'pending', 'bench-' || i, at + interval '7 days', at, at
     from (select i, ${at} as at from generate_series(0, ${Math.ceil(commissions / 10) - 1}) i) made`,
    'set synchronous_commit = on',
    'vacuum analyze',
    'checkpoint',
  ];
  for (const statement of statements) await client.query(statement);
}

/** Values of a list's query, as JSON. */
export type ListQuery = Record<string, string | boolean | number | string[]>;

/** A list with a filter. */
export interface ListWork {
  name: string;
  /** Path below `/api/v1`, and name of the resource's router. */
  list: 'affiliates' | 'campaigns' | 'commissions' | 'customers' | 'invitations' | 'links' | 'payouts' | 'referrals' | 'sales';
  query: (turn: number) => ListQuery;
}

/** Number of different values of a filter. */
const VALUES = 100;
/** Number of records that `updated_since` finds. */
const CHANGED = 1_000;
/** Number of ids in `ids`. */
const IDS = 25;

/** Returns the filters of lists, for an account of `seedLongLists`. */
export async function listWorks(client: Client): Promise<ListWork[]> {
  const values = async (sql: string) => {
    const { rows } = await client.query<{ value: string }>(
      `select value from (${sql}) found order by md5(value) limit ${VALUES}`,
    );
    return rows.map(({ value }) => value);
  };
  const sampled = (column: string, table: string, condition = 'true') =>
    values(`select ${column} as value from ${table} tablesample system (20) where ${condition} limit 10000`);
  const of = (all: string[], turn: number) => all[turn % all.length]!;
  const by = async (list: ListWork['list'], filter: string, found: Promise<string[]>): Promise<ListWork> => {
    const all = await found;
    if (all.length === 0) throw new Error(`The seeded account has no values for ${list} by ${filter}.`);
    return { name: `${list} by \`${filter}\``, list, query: (turn) => ({ [filter]: of(all, turn) }) };
  };
  const among = async (list: ListWork['list'], table: string): Promise<ListWork> => {
    const all = await sampled('id', table);
    return {
      name: `${list} by ${IDS} \`ids\``,
      list,
      query: (turn) => ({ ids: Array.from({ length: IDS }, (_, i) => of(all, turn + i)) }),
    };
  };
  const since = async (list: ListWork['list'], table: string): Promise<ListWork> => {
    const { rows } = await client.query<{ at: string }>(
      `select wire_time(updated_at) as at from (select updated_at from ${table} order by updated_at desc limit ${CHANGED}) newest order by updated_at limit 1`,
    );
    return { name: `${list} by \`updated_since\``, list, query: () => ({ updated_since: rows[0]!.at }) };
  };
  const campaigns = values(`select id as value from campaign where id <> 'camp_bench'`);
  const emails = await sampled('email', 'customer', 'name is not null');
  const partners = await sampled('email', 'affiliate', 'last_name is not null');
  const q = (what: string, list: ListWork['list'], query: (turn: number) => string): ListWork => ({
    name: `${list} by \`q\`, ${what}`,
    list,
    query: (turn) => ({ q: query(turn) }),
  });
  return [
    q('an address', 'affiliates', (turn) => of(partners, turn)),
    q('beginning of an address', 'affiliates', (turn) => of(partners, turn).slice(0, 14)),
    q('beginning of a name', 'affiliates', (turn) => of(['grace mil', 'lena schulz', 'zimmermann1', 'kowalski20'], turn)),
    q('two letters', 'affiliates', (turn) => of(['pe', 'gr', 'wi', 'ho', 'zi'], turn)),
    q('an address', 'customers', (turn) => of(emails, turn)),
    q('beginning of an address', 'customers', (turn) => of(emails, turn).slice(0, 14)),
    q('beginning of a name', 'customers', (turn) => of(['grace mil', 'lena schulz', 'otto w', 'ute kow'], turn)),
    q('two letters', 'customers', (turn) => of(['pe', 'gr', 'wi', 'ho', 'ut'], turn)),
    q('an order', 'sales', (turn) => `order-${turn * 97}`),
    q('address of a customer', 'sales', (turn) => `c${turn * 3}@example.com`),
    await by('commissions', 'referral_id', sampled('referral_id', 'commission', 'referral_id is not null')),
    await by('commissions', 'sale_id', sampled('sale_id', 'commission', 'sale_id is not null')),
    await by('commissions', 'payout_id', sampled('id', 'payout')),
    await by('commissions', 'customer_id', sampled('customer_id', 'sale')),
    await by('commissions', 'external_id', sampled('external_id', 'commission', 'external_id is not null')),
    await among('commissions', 'commission'),
    await since('commissions', 'commission'),
    await by('payouts', 'payment_reference', sampled('payment_reference', 'payout', 'payment_reference is not null')),
    await by('payouts', 'campaign_id', campaigns),
    await among('payouts', 'payout'),
    await since('payouts', 'payout'),
    await by('referrals', 'campaign_id', campaigns),
    await by('referrals', 'link_id', sampled('id', 'link')),
    await by('referrals', 'customer_id', sampled('id', 'customer')),
    await among('referrals', 'referral'),
    await since('referrals', 'referral'),
    await by('links', 'token', sampled('token', 'link')),
    await by('links', 'url', sampled('url', 'link', `url like '%products%'`)),
    await among('links', 'link'),
    await since('links', 'link'),
    await by('campaigns', 'slug', values('select slug as value from campaign')),
    await since('campaigns', 'campaign'),
    await by('invitations', 'email', sampled('email', 'invitation')),
    await since('invitations', 'invitation'),
    await among('affiliates', 'affiliate'),
    await since('affiliates', 'affiliate'),
    await among('customers', 'customer'),
    await since('customers', 'customer'),
    await among('sales', 'sale'),
    await since('sales', 'sale'),
  ];
}
