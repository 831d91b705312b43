import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../../platform/call/context.ts';
import { payOnWire } from '../../rewards/rules/reward-rule.queries.ts';
import { type ExplainedLine, lineInWords } from '../../rewards/words/line-in-words.ts';
import type { Pay } from '../../rewards/worth/rule.ts';
import type { CommissionLine } from './commission.schema.ts';

export interface LineRow
  extends Omit<CommissionLine, 'pay' | 'explanation'>, Pick<ExplainedLine, 'at_most_cents' | 'sale_currency' | 'currency'> {
  commission_id: string;
  pay: Pay;
  /** Name of what was sold. Null if the campaign hides it from affiliates. */
  shown_name: string | null;
}

/** SQL query: the lines of commissions, in the order of the sale. */
export function selectLines(accountId: string, commissionIds: readonly string[]): RawBuilder<LineRow> {
  return sql<LineRow>`
    select line.commission_id, sold.product, sold.price, sold.name, sold.interval, line.quantity, line.rule_id, rule.name as rule_name, line.rule_version,
      line.pay, line.note, line.base_cents, line.cents as amount_cents, line.at_most_cents, commission.currency, commission.lines_currency as sale_currency,
      case when campaign.sale_description_visible_to_affiliates then sold.name end as shown_name
    from commission_line line join commission on commission.id = line.commission_id
    left join campaign on campaign.id = commission.campaign_id
    left join reward_rule rule on rule.id = line.rule_id
    left join sale_line sold on sold.sale_id = commission.sale_id and sold.line = line.line
    where line.account_id = ${accountId} and line.commission_id = any (${commissionIds})
    order by line.commission_id, line.line`;
}

/** Returns the lines of each commission in the order of the sale, for expansions. Null for a commission that no reward rule decided. */
export async function findLinesOfCommissions(
  { db, accountId }: Ctx,
  commissions: readonly { id: string }[],
): Promise<(CommissionLine[] | null)[]> {
  const ids = commissions.map(({ id }) => id);
  if (ids.length === 0) return [];
  const { rows } = await selectLines(accountId, ids).execute(db);
  const byCommission = Map.groupBy(rows, ({ commission_id }) => commission_id);
  return ids.map((id) => byCommission.get(id)?.map(lineOf) ?? null);
}

function lineOf({
  commission_id: _,
  shown_name: _shown,
  at_most_cents,
  sale_currency,
  currency,
  pay,
  ...line
}: LineRow): CommissionLine {
  const explanation = lineInWords({ ...line, at_most_cents, sale_currency, currency, pay });
  return { ...line, pay: payOnWire(pay), explanation };
}
