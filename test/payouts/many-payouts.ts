import { createSecretBox } from '@affiliate/core';
import { Client } from 'pg';
import { program } from '../support/program.ts';
import { SECRET_KEY, type TestAccount } from '../support/service.ts';

const TABLES = ['affiliate', 'referral', 'sale', 'commission', 'payout', 'payout_item'];

/**
 * Adds affiliates to the account, each with `commissions` due commissions (of 10.00 USD) in an eligible payout. The rows are the same as after real
 * sales, but no events are written. Inserts the rows with SQL, which takes a fraction of the time of requests.
 */
export async function plantPayouts(
  { databaseUrl, clock }: { databaseUrl: string; clock: { instant(): string } },
  account: Pick<TestAccount, 'id' | 'api'>,
  {
    affiliates,
    commissions = 1,
    amount_cents = 1_000,
    currency = 'USD',
  }: { affiliates: number; commissions?: number; amount_cents?: number; currency?: string },
): Promise<void> {
  const { campaign } = await program(account);
  // Before the window of `reconcile`, which expects events of the commissions in it.
  const at = `('${clock.instant()}'::timestamptz - interval '31 days')`;
  const address = createSecretBox(SECRET_KEY).seal(JSON.stringify({ email: 'a@pay.example' }));
  const statements = [
    // Skips foreign-key checks, which would take as long as the inserts. The rows are consistent.
    'set session_replication_role = replica',
    `insert into affiliate (id, account_id, campaign_id, email, state, created_at, updated_at)
      select new_id('aff', ${at}), '${account.id}', '${campaign.id}', '${campaign.id}' || i || '@example.com', 'active', ${at}, ${at}
      from generate_series(1, ${affiliates}) i`,
    `insert into payout_method (id, account_id, affiliate_id, kind, sealed_address, hint, version, since, set_by, created_at, updated_at)
      select new_id('pmth', ${at}), account_id, id, 'paypal', '${address}', 'a…@pay.example', 1, ${at}, 'test', ${at}, ${at}
      from affiliate where email like '${campaign.id}%'`,
    `insert into referral (id, account_id, affiliate_id, campaign_id, conversion_state, converted_at, created_at, updated_at)
      select new_id('ref', ${at}), account_id, id, campaign_id, 'conversion', ${at}, ${at}, ${at}
      from affiliate where email like '${campaign.id}%'`,
    `insert into sale (id, account_id, referral_id, affiliate_id, external_id, charge_amount_cents, tax_amount_cents, refund_amount_cents,
        currency, charged_at, created_at, updated_at)
      select new_id('sale', ${at}), account_id, id, affiliate_id, id || '-' || i, ${10 * amount_cents}, 0, 0, '${currency}', ${at}, ${at}, ${at}
      from referral cross join generate_series(1, ${commissions}) i where campaign_id = '${campaign.id}'`,
    `insert into commission (id, account_id, campaign_id, affiliate_id, referral_id, sale_id, kind, state, amount_cents, currency, basis_points,
        due_at, created_at, updated_at)
      select new_id('com', ${at}), sale.account_id, '${campaign.id}', sale.affiliate_id, referral_id, sale.id, 'sale', 'due', ${amount_cents}, '${currency}', 1000,
        ${at}, ${at}, ${at}
      from sale join referral on referral.id = sale.referral_id where referral.campaign_id = '${campaign.id}'`,
    `insert into payout (id, account_id, affiliate_id, currency, status, amount_cents, commissions_count, created_at, updated_at)
      select new_id('payout', ${at}), account_id, affiliate_id, currency, 'open', sum(amount_cents), count(*), ${at}, ${at}
      from commission where campaign_id = '${campaign.id}' group by account_id, affiliate_id, currency`,
    `insert into payout_item (commission_id, payout_id)
      select commission.id, payout.id from commission join payout using (affiliate_id, currency)
      where campaign_id = '${campaign.id}' and payout.status = 'open'`,
    `analyze ${TABLES.join(', ')}`,
  ];
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
