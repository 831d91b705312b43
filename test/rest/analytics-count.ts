import type { Client } from 'pg';

type Row = Record<string, string | number | boolean | null>;

/** The column of each dimension. */
export const COLUMNS = {
  affiliate: 'affiliate_id',
  campaign: 'campaign_id',
  link: 'link_id',
  landing_path: 'landing_path',
  referrer: 'referrer_host',
  utm_source: 'utm_source',
  sub1: 'sub1',
  country: 'country',
  device: 'device',
  browser: 'browser',
} as const;
export type Dimension = keyof typeof COLUMNS;

interface Counted {
  dimension: Dimension | 'day' | null;
  timeZone: string;
  /** First and last day of the report. */
  range: [string, string];
  filter: Partial<Record<Dimension, string>>;
}

/** Computes the additive metrics of an account from all rows, one by one. */
export async function countAll(client: Client, accountId: string, { dimension, timeZone, range, filter }: Counted) {
  const all = async (text: string) => (await client.query<Row>(text, [accountId])).rows;
  const iso = (name: string) => `to_char(${name} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as ${name}`;
  const clicks = await all(`select *, ${iso('at')} from click where account_id = $1 order by click.at`);
  const referrals = await all(`select *, ${iso('created_at')}, ${iso('converted_at')} from referral where account_id = $1`);
  const sales = await all(`select *, ${iso('charged_at')} from sale where account_id = $1`);
  const commissions = await all(`select *, ${iso('created_at')} from commission where account_id = $1 and state <> 'voided'`);
  const firstClick = new Map<string, Row>();
  for (const click of clicks)
    if (click['referral_id'] && click['rule'] !== 'first_click' && !firstClick.has(String(click['referral_id'])))
      firstClick.set(String(click['referral_id']), click);
  const days = new Intl.DateTimeFormat('en-CA', { timeZone });
  const dayOf = (at: unknown) => days.format(new Date(String(at)));
  const valueOf = (row: Row, name: Dimension, isClick: boolean) => {
    const owner = isClick || ['affiliate', 'campaign', 'link'].includes(name) ? row : firstClick.get(String(row['id']));
    return (owner?.[COLUMNS[name]] ?? null) as string | null;
  };
  const groups = new Map<string | null, Record<string, number>>();
  const add = (row: Row, at: unknown, isClick: boolean, numbers: Record<string, number>) => {
    const day = dayOf(at);
    if (day < range[0] || day > range[1]) return;
    if (Object.entries(filter).some(([name, value]) => valueOf(row, name as Dimension, isClick) !== (value || null))) return;
    const key = dimension === null ? null : dimension === 'day' ? day : valueOf(row, dimension, isClick);
    const group = groups.get(key) ?? {};
    for (const [name, number] of Object.entries(numbers)) group[name] = (group[name] ?? 0) + number;
    groups.set(key, group);
  };
  for (const click of clicks)
    if (click['bot_reason'] === null) add(click, click['at'], true, { clicks: 1, unique_visitors: Number(click['is_unique']) });
  const referralOf = new Map(referrals.map((each) => [each['id'], each]));
  for (const each of referrals) {
    if (each['conversion_state'] !== 'visitor')
      add(each, each['created_at'], false, {
        leads: 1,
        converted_visitors: each['converted_at'] && firstClick.has(String(each['id'])) ? 1 : 0,
      });
    if (each['converted_at']) add(each, each['converted_at'], false, { conversions: 1 });
  }
  for (const sale of sales) {
    if (!sale['referral_id'] || sale['currency'] !== 'USD') continue;
    const net = Number(sale['charge_amount_cents']) - Number(sale['refund_amount_cents']);
    add(referralOf.get(sale['referral_id'])!, sale['charged_at'], false, {
      sales: Number(sale['charge_amount_cents']) > 0 ? 1 : 0,
      refunds_cents: Number(sale['refund_amount_cents']),
      net_revenue_cents: net,
    });
  }
  const saleOf = new Map<unknown, Row>(sales.map((each) => [each['id'], each]));
  for (const commission of commissions) {
    if (commission['currency'] !== 'USD') continue;
    const at = saleOf.get(commission['sale_id'])?.['charged_at'] ?? commission['created_at'];
    add(referralOf.get(commission['referral_id'])!, at, false, { commissions_cents: Number(commission['amount_cents']) });
  }
  return groups;
}
