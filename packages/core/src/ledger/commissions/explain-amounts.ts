/** How the amounts of commissions and sales came about, for every door (docs/rules/ledger.md#explanations). */
import { sql } from 'kysely';
import type { Ctx } from '../../platform/call/context.ts';
import { amountIn, shareIn } from '../../platform/mail/in-language.ts';
import { shareOf } from '../../platform/money/money.ts';
import { SALE_AMOUNT_CENTS } from '../sales/sale-amount.ts';
import { findLinesOfCommissions } from './commission-lines.queries.ts';
import type { CommissionKind } from './commission.entity.ts';
import type { CommissionLine } from './commission.schema.ts';
import type { AmountExplanation } from './explanation.schema.ts';

type Step = AmountExplanation['steps'][number];

export interface Amount {
  amount_cents: number;
  currency: string;
}

/** The facts about a commission that its amount follows from. */
interface Facts extends Amount {
  id: string;
  kind: CommissionKind;
  state: string;
  note: string | null;
  void_reason: string | null;
  adjusts_commission_id: string | null;
  basis_points: number | null;
  rule_name: string | null;
  milestone_times: number | null;
  /** Sum of the adjustments of this commission. */
  adjusted_cents: number;
  sale: {
    id: string;
    charge_cents: number;
    tax_cents: number;
    refund_cents: number;
    amount_cents: number;
    currency: string;
  } | null;
}

/** Explains the amounts of commissions, in their order. The parts of each explanation add up to the amount of its commission. */
export async function explainCommissions(ctx: Ctx, commissions: readonly { id: string }[]): Promise<AmountExplanation[]> {
  const ids = commissions.map(({ id }) => id);
  if (ids.length === 0) return [];
  const [{ rows }, lines] = await Promise.all([
    factsOf(ctx, sql`commission.id = any (${ids})`),
    findLinesOfCommissions(ctx, commissions),
  ]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id, at) => explained(byId.get(id)!, lines[at] ?? []));
}

/** Explains what sales earn: the parts are those of all their commissions. A voided commission is taken off again. Null for a sale that has earned nothing. */
export async function explainSales(ctx: Ctx, sales: readonly { id: string }[]): Promise<(AmountExplanation | null)[]> {
  const ids = sales.map(({ id }) => id);
  if (ids.length === 0) return [];
  const { rows } = await factsOf(ctx, sql`commission.sale_id = any (${ids}) and not commission.superseded`);
  const lines = await findLinesOfCommissions(ctx, rows);
  const explanations = rows.map((row, at) => ({
    saleId: row.sale!.id,
    explanation: counted(row, explained(row, lines[at] ?? [])),
  }));
  const bySale = Map.groupBy(explanations, ({ saleId }) => saleId);
  return ids.map((id) => joined((bySale.get(id) ?? []).map(({ explanation }) => explanation)));
}

/** Returns the explanation with the amount that counts for the sale: nothing of a voided commission. */
function counted({ state }: Facts, { steps, amount_cents, currency }: AmountExplanation): AmountExplanation {
  if (state !== 'voided') return explanation(steps, { amount_cents, currency });
  const taken = steps.map((step) => (step.kind === 'voided' ? { ...step, amount_cents: -amount_cents } : step));
  return explanation(taken, { amount_cents: 0, currency });
}

/** A sale has commissions of one currency: its reward, bonuses, and their adjustments. */
function joined(explanations: readonly AmountExplanation[]): AmountExplanation | null {
  const [first] = explanations;
  if (first === undefined) return null;
  // Every commission says what of the sale counts.
  const steps = explanations.flatMap((each, at) => each.steps.filter(({ kind }) => at === 0 || kind !== 'sale'));
  return explanation(steps, {
    amount_cents: explanations.reduce((sum, each) => sum + each.amount_cents, 0),
    currency: first.currency,
  });
}

function factsOf({ db, accountId }: Ctx, which: ReturnType<typeof sql>) {
  return sql<Facts>`
    select commission.id, commission.kind, commission.state, commission.amount_cents, commission.currency, commission.note, commission.void_reason,
      commission.adjusts_commission_id, commission.basis_points, commission.milestone_times, rule.name as rule_name,
      (select coalesce(sum(amount_cents), 0)::bigint from commission adjustment
        where adjustment.adjusts_commission_id = commission.id and adjustment.state <> 'voided') as adjusted_cents,
      case when sale.id is not null then json_build_object('id', sale.id, 'charge_cents', sale.charge_amount_cents, 'tax_cents', sale.tax_amount_cents,
        'refund_cents', sale.refund_amount_cents, 'amount_cents', ${SALE_AMOUNT_CENTS}, 'currency', sale.currency) end as sale
    from commission left join sale on sale.id = commission.sale_id left join reward_rule rule on rule.id = commission.rule_id
    where commission.account_id = ${accountId} and ${which}
    order by commission.id`.execute(db);
}

function explained(facts: Facts, lines: readonly CommissionLine[]): AmountExplanation {
  const { amount_cents, state, void_reason } = facts;
  const ofSale = facts.sale !== null && facts.kind !== 'adjustment' ? [countedPart(facts.sale)] : [];
  const steps = [...ofSale, ...withRest(rewardSteps(facts, lines), amount_cents, restOf(facts, lines))];
  if (state === 'voided')
    steps.push(said('voided', `It is voided${void_reason === null ? '' : ` (${void_reason})`}, so nothing of it is paid.`));
  return explanation(steps, facts);
}

/** Says which amount of a sale earns. */
function countedPart({ charge_cents, tax_cents, refund_cents, amount_cents, currency }: NonNullable<Facts['sale']>): Step {
  const money = (cents: number) => amountIn('en', { amount_cents: cents, currency });
  const without = [
    tax_cents > 0 ? `${money(tax_cents)} of tax` : '',
    refund_cents > 0 ? `${money(refund_cents)} refunded` : '',
  ].filter(Boolean);
  const left = without.length === 0 ? 'all of it counts' : `without ${without.join(' and ')}, ${money(amount_cents)} count`;
  return said('sale', `${money(charge_cents)} were charged; ${left}.`);
}

function rewardSteps(facts: Facts, lines: readonly CommissionLine[]): Step[] {
  const { kind, amount_cents, currency, note, adjusts_commission_id, basis_points, rule_name, milestone_times, sale } = facts;
  const money = (cents: number) => amountIn('en', { amount_cents: cents, currency });
  if (lines.length > 0) return lines.map((line) => ({ kind: 'line', text: line.explanation, amount_cents: line.amount_cents }));
  const all = (of: Step['kind'], text: string): Step[] => [{ kind: of, text, amount_cents }];
  switch (kind) {
    case 'adjustment':
      return all(
        'adjustment',
        `Corrects the commission ${adjusts_commission_id}, whose amount had been claimed or paid, by ${money(amount_cents)}.`,
      );
    case 'manual':
      return all('manual', `${money(amount_cents)} were entered by hand${note === null ? '' : ` (${note})`}.`);
    case 'imported':
      return all('imported', 'The amount was imported from another tool.');
    case 'lead':
    case 'milestone':
    case 'bonus': {
      const times = milestone_times !== null && milestone_times > 1 ? ` (${milestone_times} times)` : '';
      return all('rule', `${rule_name === null ? 'A rule' : `The rule “${rule_name}”`} pays ${money(amount_cents)}${times}.`);
    }
    default: {
      if (basis_points === null || sale === null)
        return all('base_reward', `The campaign pays a fixed amount of ${money(amount_cents)} for the sale.`);
      const earned = shareOf(sale.amount_cents, basis_points);
      const text = `The campaign pays ${shareIn('en', basis_points / 10_000)} of ${amountIn('en', { ...sale })}, rounded to ${money(earned)}.`;
      return [{ kind: 'base_reward', text, amount_cents: earned }];
    }
  }
}

/** Says what the amount has beside its parts. */
function restOf({ adjusted_cents }: Facts, lines: readonly CommissionLine[]): string {
  if (adjusted_cents !== 0)
    return 'The sale changed after the commission had been claimed or paid. Adjustments correct the difference.';
  return lines.length > 0
    ? 'Caps of rules and rounding limit the sum.'
    : 'The commission keeps the amount that it had when it was claimed or paid, or a limit applies.';
}

/** Adds a step for what the amount has beside its steps. */
export function withRest(steps: Step[], amount: number, text: string): Step[] {
  const rest = amount - steps.reduce((sum, each) => sum + (each.amount_cents ?? 0), 0);
  return rest === 0 ? steps : [...steps, { kind: 'difference', text, amount_cents: rest }];
}

function said(kind: Step['kind'], text: string): Step {
  return { kind, text, amount_cents: null };
}

/** Returns an explanation of an amount by steps. */
export function explanation(steps: Step[], { amount_cents, currency }: Amount): AmountExplanation {
  return { amount_cents, currency, text: steps.map(({ text }) => text).join(' '), steps };
}
