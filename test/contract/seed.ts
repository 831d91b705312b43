import { isTestAccount, screenAffiliates, writeApiLog } from '@affiliate/core';
import { Client } from 'pg';
import { METHODS } from '../../packages/core/src/payouts/methods/methods.ts';
import { ToyRail } from '../payouts/toy_method/toy-method.ts';
import type { PspTestService } from '../psp/service.ts';
import { newMember, ownerOf } from '../support/people.ts';
import { type Program, must, program, refer, sell } from '../support/program.ts';
import { coupon } from '../support/psp-server/index.ts';
import { answered } from '../support/rest.ts';
import type { TestAccount } from '../support/service.ts';

/**
 * Creates an account with at least one record of each kind whose id a procedure accepts. Two such accounts have the same names, tokens, codes and
 * external ids, and differ only in their ids.
 */
export async function seededMerchant(service: PspTestService): Promise<TestAccount> {
  const merchant = await service.createAccount();
  await seed(service, merchant);
  await newMember(service, merchant, 'admin');
  return merchant;
}

/** Creates the records of `seededMerchant`, except members, with the account's key. `mode` is the mode of the account at the provider. */
export async function seed(service: PspTestService, merchant: TestAccount, mode: 'live' | 'test' = 'test'): Promise<void> {
  const provider = service.psp.addAccount(mode);
  await merchant.client.pspConnection.connect.mutate({
    secret_key: provider.secretKey,
    webhook_secret: `whsec_${crypto.randomUUID()}`,
  });
  provider.records.coupons.push(coupon({ id: 'SPRING' }));
  await merchant.client.webhookEndpoints.create.mutate({
    name: 'Receiver',
    url: 'http://127.0.0.1:1024/hooks',
    event_types: ['affiliate.created', 'commission.created', 'payout.paid'],
  });
  // Three affiliates: the first one's payout stays open, the second one's payout is exported, and the third one's payout is claimed by a run.
  const payees: (Program & { referral_id: string })[] = [];
  for (const name of ['ada', 'grace', 'edith']) {
    const started = await program(
      merchant,
      { name: `Friends of ${name}`, days_until_commissions_are_due: 0, psp_coupon_id: 'SPRING' },
      { email: `${name}@partner.example`, walleta_email: `${name}@pay.example` },
    );
    const { id: referral_id } = await refer(merchant, started);
    await sell(merchant, { referral_id, external_id: `order-${name}`, customer_email: `customer-of-${name}@example.com` });
    payees.push({ ...started, referral_id });
  }
  const { data: payouts } = await merchant.client.payouts.list.query({});
  const payoutOf = (index: number) => payouts.find(({ affiliate_id }) => affiliate_id === payees[index]!.affiliate.id)!.id;
  await must(merchant, '/tiers', { campaign_id: payees[0]!.campaign.id, name: 'Gold', metric: 'sales', from: 10 });
  await must(merchant, '/reward_rules', { campaign_id: payees[0]!.campaign.id, name: 'Pro', pay: { percent: 20 } });
  const { link } = payees[0]!;
  await must(merchant, '/track/refunds', { external_id: 'order-ada', refund_id: 'refund-ada', amount_cents: 100 });
  await must(merchant, '/referrals', { link_id: link.id, conversion_state: 'lead' });
  await must(merchant, '/payout_exports', { payout_ids: [payoutOf(1)] });
  // The batch is empty, because no affiliate has an address of its method.
  const { method, connected } = new ToyRail();
  service.services.payoutMethods = [...METHODS.filter((each) => !('send' in each)), method, connected];
  const credentials = { client_id: isTestAccount(merchant.id) ? 'test' : 'live', client_secret: 'secret' };
  await merchant.client.payoutRails.create.mutate({ kind: connected.kind, credentials });
  await must(merchant, '/payout_batches', { method: 'toy', affiliate_ids: [payees[0]!.affiliate.id] });
  await must(merchant, '/payout_runs', { affiliate_ids: [payees[2]!.affiliate.id], idempotency_key: 'november' });
  // Nobody can be invited to the team of a test account, or by a key of live mode.
  const invited =
    isTestAccount(merchant.id) || mode === 'live'
      ? { kind: 'affiliate', campaign_id: payees[0]!.campaign.id }
      : { kind: 'member' };
  await must(merchant, '/invitations', { ...invited, email: 'invited@example.com' });
  await must(merchant, '/api/settings/v1/imports', {
    source: 'csv',
    files: [{ kind: 'affiliates', content: 'email\nnew@partner.example\nnobody\nnext@partner.example' }],
  });
  await must(merchant, '/api_keys', { name: 'Another' });
  await must(merchant, '/assets', { name: 'banner.txt', content: 'V2UgbG92ZSB0ZWEu' });
  await merchant.client.connectors.create.mutate({ name: 'Assistant' });
  await must(merchant, `/affiliates/${payees[0]!.affiliate.id}/coupon`, { code: 'ADA10' });
  const assignment = await merchant.api.post(
    `/affiliates/${payees[0]!.affiliate.id}/promo_codes`,
    { mode: 'create', code: 'ADA20', psp_coupon_id: 'SPRING', dry_run: false },
    { 'Idempotency-Key': 'seed' },
  );
  if (assignment.status !== 201) throw new Error(assignment.text);
  // Without a list, nobody is cleared.
  const screening = '/api/settings/v1/payout_screening';
  answered(200, await merchant.api.send('PUT', screening, { body: { kind: 'lists' } }));
  await screenAffiliates(service.services);
  const { browser } = await ownerOf(service, merchant);
  answered(200, await browser.send('PUT', screening, { body: { kind: null }, headers: { 'X-Account-Id': merchant.id } }));
  // Otherwise rows of these requests would appear during the test.
  await writeApiLog(service.services);
}

/** Reads the ids of all records of an account. */
export async function idsOf(service: Pick<PspTestService, 'databaseUrl'>, account: TestAccount): Promise<Map<string, string[]>> {
  const rows = await AccountRows.open(service);
  try {
    return idsIn(await rows.of(account.id));
  } finally {
    await rows.close();
  }
}

export interface Row {
  table: string;
  row: Record<string, unknown>;
}

/**
 * Reads all rows of an account: rows with its `account_id`, and rows of tables without that column that contain the id of the account or of one of
 * its rows.
 */
export class AccountRows {
  readonly #client: Client;
  readonly #scoped: string[] = [];
  readonly #others: string[] = [];

  private constructor(client: Client) {
    this.#client = client;
  }

  static async open({ databaseUrl }: Pick<PspTestService, 'databaseUrl'>): Promise<AccountRows> {
    const client = new Client({ connectionString: databaseUrl });
    await client.connect();
    const reader = new AccountRows(client);
    const { rows } = await client.query<{ name: string; scoped: boolean }>(`
      select table_name as name, bool_or(column_name = 'account_id') as scoped
      from information_schema.columns join information_schema.tables using (table_schema, table_name)
      where table_schema = 'public' and table_type = 'BASE TABLE' group by table_name order by table_name`);
    for (const { name, scoped } of rows) (scoped ? reader.#scoped : reader.#others).push(name);
    return reader;
  }

  async of(accountId: string): Promise<Row[]> {
    const scoped = await this.#read(this.#scoped, 't.account_id = $1', accountId);
    const ids = [accountId, ...scoped.flatMap(({ row }) => (typeof row['id'] === 'string' ? [row['id']] : []))];
    return [
      ...scoped,
      ...(await this.#read(
        this.#others,
        't::text like any ($1)',
        ids.map((id) => `%${id}%`),
      )),
    ];
  }

  close(): Promise<void> {
    return this.#client.end();
  }

  async #read(tables: string[], condition: string, value: unknown): Promise<Row[]> {
    const selects = tables.map((name) => `select '${name}' as "table", to_jsonb(t) as row from "${name}" t where ${condition}`);
    // The query has a name, so that PostgreSQL plans it only once. Planning a query over so many tables takes longer than reading the tables.
    const { rows } = await this.#client.query<Row>({
      name: condition,
      text: `select "table", row from (${selects.join(' union all ')}) every_row order by 1, row::text`,
      values: [value],
    });
    return rows;
  }
}

/** Returns the ids in an account's rows, by prefix. */
export function idsIn(rows: readonly Row[]): Map<string, string[]> {
  const ids = new Map<string, string[]>();
  for (const { table, row } of rows) {
    const id = table === 'membership' ? row['user_id'] : row['id'];
    if (typeof id !== 'string' || !id.includes('_')) continue;
    const prefix = id.slice(0, id.indexOf('_'));
    ids.set(prefix, [...(ids.get(prefix) ?? []), id]);
  }
  return ids;
}
