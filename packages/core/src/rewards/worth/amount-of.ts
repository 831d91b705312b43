import { apportion, shareOf } from '../../platform/money/money.ts';
import { MAX_CENTS } from '../../platform/wire/scalars.ts';
import type { CampaignTerms } from '../../program/campaigns/campaign.service.ts';
import type { LineTerms, Pay, Terms } from './rule.ts';

/** The amount of a commission, and its part for each line of the terms. The parts add up to the amount. */
export interface Amount {
  cents: number;
  lines: readonly { base_cents: number; cents: number }[];
}

/**
 * Computes what frozen terms pay for a sale as it is now, after refunds. This is the only arithmetic of rewards (docs/rules/rewards.md#amounts): a
 * percentage is computed once for all lines that a rule decides, and divided among them. A fixed amount is paid in full until nothing is left of
 * the lines for which it is paid. No rule pays more than the largest amount that the service accepts.
 *
 * @param nets what is left of each line of the sale, in cents (`linesAfterRefunds`)
 */
export function amountOf({ lines }: Terms, nets: readonly number[]): Amount {
  const parts = lines.map(({ line }) => ({ base_cents: nets[line]!, cents: 0 }));
  for (const decided of groupsOf(lines)) {
    const bases = decided.map((i) => parts[i]!.base_cents);
    if (bases.every((base) => base === 0)) continue;
    const terms = decided.map((i) => lines[i]!);
    const limit = terms[0]!.at_most_cents ?? Infinity;
    const owed = Math.min(owedFor(terms, bases), limit, MAX_CENTS);
    for (const [place, cents] of apportion(owed, weightsOf(terms, bases)).entries()) parts[decided[place]!]!.cents = cents;
  }
  return { cents: parts.reduce((sum, { cents }) => sum + cents, 0), lines: parts };
}

/** Returns, for each rule, the places of the lines that it decides. */
function groupsOf(lines: readonly LineTerms[]): number[][] {
  const places = lines.map((_, i) => i).filter((i) => lines[i]!.pay.kind !== 'nothing');
  return [...Map.groupBy(places, (i) => lines[i]!.rule_id).values()];
}

/** Returns what one rule owes for its lines without its cap. All lines have the same `pay`. */
function owedFor(terms: readonly LineTerms[], bases: readonly number[]): number {
  const pay = terms[0]!.pay;
  if (pay.kind === 'percent')
    return shareOf(
      bases.reduce((sum, base) => sum + base, 0),
      pay.basis_points,
    );
  if (pay.kind === 'nothing') return 0;
  return pay.per === 'sale'
    ? pay.amount_cents
    : pay.amount_cents * unitsLeft(terms, bases).reduce((sum, units) => sum + units, 0);
}

/** Returns the weights by which a rule’s amount is divided among its lines: their units if it pays for units, otherwise what is left of them. */
function weightsOf(terms: readonly LineTerms[], bases: readonly number[]): readonly number[] {
  const pay = terms[0]!.pay;
  return pay.kind === 'fixed' && pay.per === 'unit' ? unitsLeft(terms, bases) : bases;
}

/** Returns the units of each line. A line of which nothing is left has none. */
function unitsLeft(terms: readonly LineTerms[], bases: readonly number[]): number[] {
  return terms.map(({ quantity }, i) => (bases[i] === 0 ? 0 : quantity));
}

/** Returns what the base reward of a campaign pays. */
export function basePay({ commission_basis_points, commission_amount_cents, commission_amount_currency }: CampaignTerms): Pay {
  if (commission_basis_points !== null) return { kind: 'percent', basis_points: commission_basis_points };
  if (commission_amount_cents === null || commission_amount_currency === null) return { kind: 'nothing' };
  return { kind: 'fixed', amount_cents: commission_amount_cents, currency: commission_amount_currency, per: 'sale' };
}
