import { sql } from 'kysely';
import { IS_SOLD } from '../../ledger/sales/purchase.ts';
import { IS_LIVE_SALE } from '../../ledger/sales/sale-mode.ts';
import type { Ctx } from '../../platform/call/context.ts';
import { IS_CONNECTED } from '../../sources/connections/open-connection.ts';
import { ownMode } from '../../sources/connections/own-mode.ts';
import type { FirstSteps } from './first-steps.schema.ts';

/** Returns the steps of a new program that are done (docs/rules/reports.md#test-facts). */
export async function getFirstSteps({ db, accountId }: Ctx): Promise<FirstSteps> {
  const { rows } = await sql<FirstSteps>`
    with done as materialized (
      select exists (select from sale where account_id = ${accountId} and ${IS_LIVE_SALE} and ${IS_SOLD}) as sale
    )
    select sale,
      exists (select from campaign where account_id = ${accountId} and archived_at is null) as campaign,
      exists (select from affiliate where account_id = ${accountId} and archived_at is null) as affiliate,
      sale or exists (select from referral where account_id = ${accountId} and is_test)
        or exists (select from sale where account_id = ${accountId} and livemode = false) as test,
      exists (select from link_clicks where account_id = ${accountId}) as tracking,
      exists (select from connection where account_id = ${accountId} and ${IS_CONNECTED} and mode = ${ownMode(accountId)}) as payment_provider,
      exists (select from webhook_endpoint where account_id = ${accountId} and deleted_at is null) as webhook
    from done`.execute(db);
  return rows[0]!;
}
