import type { SaleFacts } from '../../packages/core/src/rewards/worth/evaluate.ts';
/**
 * The worth of a sale, written a second time from docs/rules/rewards.md, without a look at the first. It goes line by line, keeps exact fractions,
 * and hands out cents one after the other.
 */
import type { Pay, Rule } from '../../packages/core/src/rewards/worth/rule.ts';

interface ReferenceLine {
  rule: string | null;
  cents: number;
}
export interface ReferenceCommission {
  currency: string;
  cents: number;
  lines: ReferenceLine[];
}

/** The first is the commission of the sale; the others are on top, in the order of their rules. `nets` is what is left of each line. */
export function referenceWorth(rules: Rule[], base: Pay, facts: SaleFacts, nets: number[]): ReferenceCommission[] {
  const inOrder: Rule[] = [];
  for (const level of ['link', 'affiliate', 'campaign']) {
    const ofLevel = rules.filter((rule) => {
      if (rule.link_id) return level === 'link' && rule.link_id === facts.link_id && fits(rule, facts);
      if (rule.affiliate_id) return level === 'affiliate' && fits(rule, facts);
      return level === 'campaign';
    });
    const excludes = ({ pay, when, apply }: Rule) =>
      pay.kind === 'nothing' && apply === 'instead' && Boolean(when.products ?? when.prices) ? 0 : 1;
    ofLevel.sort((a, b) => a.position - b.position || excludes(a) - excludes(b) || a.id.localeCompare(b.id));
    inOrder.push(...ofLevel);
  }
  const candidates = inOrder.filter((rule) => rule.event === 'sale' && isPlanned(rule, facts) && holds(rule, facts));
  const chosen = facts.lines.map(
    (_, i) => candidates.find((rule) => rule.apply === 'instead' && holdsFor(rule, facts, i)) ?? null,
  );
  const result = [
    commission(
      facts,
      nets,
      chosen.map((rule, i) => ({ rule, pay: rule ? rule.pay : base, i })),
    ),
  ];
  for (const rule of candidates.filter(({ apply }) => apply === 'on_top')) {
    const lines = facts.lines.map((_, i) => i).filter((i) => holdsFor(rule, facts, i));
    if (lines.length > 0)
      result.push(
        commission(
          facts,
          nets,
          lines.map((i) => ({ rule, pay: rule.pay, i })),
        ),
      );
  }
  return result;
}

function fits(rule: Rule, facts: SaleFacts): boolean {
  return !rule.affiliate_id || rule.affiliate_id === facts.affiliate_id;
}

function isPlanned(rule: Rule, facts: SaleFacts): boolean {
  const at = Date.parse(facts.at);
  if (rule.from && Date.parse(rule.from) > at) return false;
  return !(rule.until && Date.parse(rule.until) <= at);
}

function holds({ when }: Rule, facts: SaleFacts): boolean {
  let total = 0;
  for (const line of facts.lines) total += line.net_cents;
  if (when.codes && !when.codes.some((code) => facts.codes.map((it) => it.toUpperCase()).includes(code.toUpperCase())))
    return false;
  if (when.countries && !when.countries.some((country) => country === facts.country)) return false;
  for (const [key, values] of Object.entries(when.metadata ?? {})) {
    const value = new Map(Object.entries(facts.metadata)).get(key);
    if (value === undefined || !values.includes(value)) return false;
  }
  if (when.sale_number) {
    const { from = 1, to = Number.MAX_SAFE_INTEGER } = when.sale_number;
    if (facts.sale_number < from || facts.sale_number > to) return false;
  }
  if (when.age_months) {
    const { from = 0, to = Number.MAX_SAFE_INTEGER } = when.age_months;
    if (facts.age_months < from || facts.age_months >= to) return false;
  }
  if (when.amount) {
    const { from = 0, to = Number.MAX_SAFE_INTEGER, currency } = when.amount;
    if (currency !== facts.currency || total < from || total >= to) return false;
  }
  if (when.tier && when.tier.every((tier) => !facts.tiers.includes(tier))) return false;
  return !when.customer || when.customer === facts.customer;
}

function holdsFor({ when }: Rule, facts: SaleFacts, i: number): boolean {
  const { product, price, interval } = facts.lines[i]!;
  if (when.products && !(product && when.products.includes(product))) return false;
  if (when.prices && !(price && when.prices.includes(price))) return false;
  return !(when.interval && !(interval && when.interval.includes(interval)));
}

function commission(facts: SaleFacts, nets: number[], lines: { rule: Rule | null; pay: Pay; i: number }[]): ReferenceCommission {
  const paying = lines.filter(({ pay }) => pay.kind !== 'nothing');
  const currencyFor = (pay: Pay) => (pay.kind === 'fixed' ? pay.currency : facts.currency);
  const currency = paying.some(({ pay }) => currencyFor(pay) === facts.currency)
    ? facts.currency
    : paying.length > 0
      ? currencyFor(paying[0]!.pay)
      : facts.currency;
  const cents = lines.map(() => 0);
  const rules = new Set(paying.filter(({ pay }) => currencyFor(pay) === currency).map(({ rule }) => rule));
  for (const rule of rules) {
    const mine = lines.map((line, at) => ({ ...line, at })).filter((line) => line.rule === rule && line.pay.kind !== 'nothing');
    const left = mine.filter(({ i }) => nets[i]! > 0);
    if (left.length === 0) continue;
    const pay = mine[0]!.pay;
    const base = left.reduce((sum, { i }) => sum + BigInt(nets[i]!), 0n);
    let owed = 0n;
    if (pay.kind === 'percent') {
      const tenThousandths = base * BigInt(pay.basis_points);
      owed = tenThousandths / 10_000n + (tenThousandths % 10_000n >= 5_000n ? 1n : 0n);
    } else if (pay.kind === 'fixed') {
      const times = pay.per === 'sale' ? 1 : left.reduce((sum, { i }) => sum + facts.lines[i]!.quantity, 0);
      owed = BigInt(pay.amount_cents) * BigInt(times);
    }
    if (rule?.cap && rule.cap.currency === currency) {
      const { cap } = rule;
      const room = cap.per === 'sale' ? cap.amount_cents : cap.amount_cents - (facts.used_cents[rule.id] ?? 0);
      if (owed > BigInt(Math.max(room, 0))) owed = BigInt(Math.max(room, 0));
    }
    const isPerUnit = pay.kind === 'fixed' && pay.per === 'unit';
    const weigh = (i: number) => BigInt(isPerUnit ? facts.lines[i]!.quantity : nets[i]!);
    const whole = left.reduce((sum, { i }) => sum + weigh(i), 0n);
    let handedOut = 0n;
    for (const { i, at } of left) {
      cents[at] = Number((owed * weigh(i)) / whole);
      handedOut += BigInt(cents[at]);
    }
    const waiting = left.map((line) => ({ ...line, lacks: (owed * weigh(line.i)) % whole }));
    for (; handedOut < owed; handedOut += 1n) {
      let next = waiting[0]!;
      for (const candidate of waiting) if (candidate.lacks > next.lacks) next = candidate;
      cents[next.at]! += 1;
      next.lacks = -1n;
    }
  }
  return {
    currency,
    cents: cents.reduce((sum, it) => sum + it, 0),
    lines: lines.map(({ rule }, at) => ({ rule: rule?.id ?? null, cents: cents[at]! })),
  };
}
