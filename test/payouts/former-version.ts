import type { Client } from 'pg';

/** Puts due commissions into their affiliates' open payouts, with the statements of version 0.1.0, which does not distinguish modes. */
export async function collectAsFormerVersion(client: Client, commissionIds: readonly string[]): Promise<void> {
  const payable = `commission.id = any ($1) and commission.state = 'due' and commission.review_status is distinct from 'suspicious'
    and not exists (select from payout_item where commission_id = commission.id)`;
  await client.query(
    `insert into payout (id, account_id, affiliate_id, currency, status, amount_cents, commissions_count, created_at, updated_at)
      select new_id('payout', now()), account_id, affiliate_id, currency, 'open', sum(amount_cents), count(*), now(), now()
      from commission where ${payable}
      group by account_id, affiliate_id, currency order by affiliate_id, currency
      on conflict (affiliate_id, currency) where status = 'open' do update set
        amount_cents = payout.amount_cents + excluded.amount_cents,
        commissions_count = payout.commissions_count + excluded.commissions_count,
        updated_at = excluded.updated_at`,
    [commissionIds],
  );
  await client.query(
    `insert into payout_item (commission_id, payout_id)
      select commission.id, payout.id
      from commission join payout using (affiliate_id, currency)
      where ${payable} and payout.status = 'open'`,
    [commissionIds],
  );
}
