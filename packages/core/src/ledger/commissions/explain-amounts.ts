/** How the amounts of commissions and sales came about, for every door (docs/rules/ledger.md#explanations). */
import { mapInParts } from '@affiliate/postgres';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../../platform/call/context.ts';
import { amountIn, inLanguage, listIn, shareIn } from '../../platform/mail/in-language.ts';
import { shareOf } from '../../platform/money/money.ts';
import { inEachLanguage, type Language, type Texts } from '../../platform/texts/texts.ts';
import { payOnWire } from '../../rewards/rules/reward-rule.queries.ts';
import { type ExplainedLine, lineInWords } from '../../rewards/words/line-in-words.ts';
import type { Pay } from '../../rewards/worth/rule.ts';
import { SALE_AMOUNT_CENTS } from '../sales/sale.entity.ts';
import type { CommissionKind } from './commission.entity.ts';
import type { AmountExplanation, CommissionLine } from './commission.schema.ts';

export const EXPLANATION_TEXTS = {
  sale: {
    charged: { en: '{charged} were charged; all of it counts.', de: '{charged} wurden gezahlt; alles davon zählt.' },
    without: {
      en: '{charged} were charged; without {parts}, {counted} count.',
      de: '{charged} wurden gezahlt; ohne {parts} zählen {counted}.',
    },
    tax: { en: '{amount} of tax', de: '{amount} Steuer' },
    refunded: { en: '{amount} refunded', de: '{amount} Erstattung' },
    net: { en: 'The sale counts with {counted}, without tax.', de: 'Der Verkauf zählt mit {counted}, ohne Steuer.' },
    netRefunded: {
      en: 'The sale counts with {counted}: it was {net} without tax, and {refunded} of that were refunded.',
      de: 'Der Verkauf zählt mit {counted}: Es waren {net} ohne Steuer, davon wurden {refunded} erstattet.',
    },
  },
  reward: {
    adjustment: {
      en: 'Corrects the commission {id}, whose amount had been claimed or paid, by {amount}.',
      de: 'Korrigiert die Provision {id}, deren Betrag schon in einer Auszahlung war, um {amount}.',
    },
    manual: { en: '{amount} were entered by hand.', de: '{amount} wurden von Hand eingetragen.' },
    manualWithNote: { en: '{amount} were entered by hand ({note}).', de: '{amount} wurden von Hand eingetragen ({note}).' },
    imported: { en: 'The amount was imported from another tool.', de: 'Der Betrag wurde aus einem anderen Programm übernommen.' },
    rule: { en: 'The rule “{name}” pays {amount}.', de: 'Die Regel „{name}“ zahlt {amount}.' },
    unnamedRule: { en: 'A rule pays {amount}.', de: 'Eine Regel zahlt {amount}.' },
    ruleTimes: { en: 'The rule “{name}” pays {amount} ({times} times).', de: 'Die Regel „{name}“ zahlt {amount} ({times}-mal).' },
    unnamedRuleTimes: { en: 'A rule pays {amount} ({times} times).', de: 'Eine Regel zahlt {amount} ({times}-mal).' },
    fixed: {
      en: 'The campaign pays a fixed amount of {amount} for the sale.',
      de: 'Die Kampagne zahlt für den Verkauf einen festen Betrag von {amount}.',
    },
    share: {
      en: 'The campaign pays {share} of {base}, rounded to {earned}.',
      de: 'Die Kampagne zahlt {share} von {base}, gerundet {earned}.',
    },
  },
  rest: {
    adjusted: {
      en: 'The sale changed after the commission had been claimed or paid. Adjustments correct the difference.',
      de: 'Der Verkauf änderte sich, als die Provision schon in einer Auszahlung war. Korrekturen gleichen das aus.',
    },
    capped: { en: 'Caps of rules and rounding limit the sum.', de: 'Obergrenzen von Regeln und Rundung begrenzen die Summe.' },
    kept: {
      en: 'The commission keeps the amount that it had when it was claimed or paid, or a limit applies.',
      de: 'Die Provision behält den Betrag, den sie in ihrer Auszahlung hatte, oder eine Grenze gilt.',
    },
  },
  voided: {
    plain: { en: 'It is voided, so nothing of it is paid.', de: 'Sie ist storniert, also wird davon nichts gezahlt.' },
    withReason: {
      en: 'It is voided ({reason}), so nothing of it is paid.',
      de: 'Sie ist storniert ({reason}), also wird davon nichts gezahlt.',
    },
  },
} as const satisfies Texts;

const t = EXPLANATION_TEXTS;

/** The reader of an explanation. Taxes, names of rules and reasons of voids are shown only to members. */
type Reader = 'account' | 'affiliate';

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

/** Reads rows of an account for explanations. */
interface Rows {
  accountId: string;
  read: <Row>(statement: RawBuilder<Row>) => Promise<Row[]>;
}

function rowsOf({ db, accountId }: Ctx): Rows {
  return { accountId, read: async (statement) => (await statement.execute(db)).rows };
}

/** Explains the amounts of commissions, in their order. The parts of each explanation add up to the amount of its commission. */
export function explainCommissions(ctx: Ctx, commissions: readonly { id: string }[]): Promise<AmountExplanation[]> {
  return explainTo('account', rowsOf(ctx), commissions);
}

/** Explains commissions to their affiliate. `rows` reads the rows of this affiliate only. */
export function explainToAffiliate(rows: Rows, commissions: readonly { id: string }[]): Promise<AmountExplanation[]> {
  return explainTo('affiliate', rows, commissions);
}

async function explainTo(reader: Reader, rows: Rows, commissions: readonly { id: string }[]): Promise<AmountExplanation[]> {
  const ids = commissions.map(({ id }) => id);
  if (ids.length === 0) return [];
  const facts = await rows.read(selectFacts(rows.accountId, sql`commission.id = any (${ids})`));
  const lines = await readLines(rows, ids);
  const byId = new Map(facts.map((row) => [row.id, row]));
  return mapInParts(ids, (id) => explained(reader, byId.get(id)!, lines.get(id) ?? []));
}

async function readLines({ accountId, read }: Rows, ids: readonly string[]): Promise<Map<string, LineRow[]>> {
  return Map.groupBy(await read(selectLines(accountId, ids)), ({ commission_id }) => commission_id);
}

/** Explains what sales earn: the parts are those of all their commissions. A voided commission is taken off again. Null for a sale that has earned nothing. */
export async function explainSales(ctx: Ctx, sales: readonly { id: string }[]): Promise<(AmountExplanation | null)[]> {
  const ids = sales.map(({ id }) => id);
  if (ids.length === 0) return [];
  const inAccount = rowsOf(ctx);
  const rows = await inAccount.read(
    selectFacts(ctx.accountId, sql`commission.sale_id = any (${ids}) and not commission.superseded`),
  );
  const lines = await readLines(
    inAccount,
    rows.map(({ id }) => id),
  );
  const explanations = rows.map((row) => ({
    saleId: row.sale!.id,
    explanation: counted(row, explained('account', row, lines.get(row.id) ?? [])),
  }));
  const bySale = Map.groupBy(explanations, ({ saleId }) => saleId);
  return ids.map((id) => joined((bySale.get(id) ?? []).map(({ explanation }) => explanation)));
}

/** Returns the explanation with the amount that counts for the sale: nothing of a voided commission. */
export function counted({ state }: Facts, { steps, amount_cents, currency }: AmountExplanation): AmountExplanation {
  if (state !== 'voided') return explanation(steps, { amount_cents, currency });
  const taken = steps.map((step) => (step.kind === 'voided' ? { ...step, amount_cents: -amount_cents } : step));
  return explanation(taken, { amount_cents: 0, currency });
}

/** A sale has commissions of one currency: its reward, bonuses, and their adjustments. */
export function joined(explanations: readonly AmountExplanation[]): AmountExplanation | null {
  const [first] = explanations;
  if (first === undefined) return null;
  // Every commission says what of the sale counts.
  const steps = explanations.flatMap((each, at) => each.steps.filter(({ kind }) => at === 0 || kind !== 'sale'));
  return explanation(steps, {
    amount_cents: explanations.reduce((sum, each) => sum + each.amount_cents, 0),
    currency: first.currency,
  });
}

function selectFacts(accountId: string, which: RawBuilder<unknown>): RawBuilder<Facts> {
  return sql<Facts>`
    select commission.id, commission.kind, commission.state, commission.amount_cents, commission.currency, commission.note, commission.void_reason,
      commission.adjusts_commission_id, commission.basis_points, commission.milestone_times, rule.name as rule_name,
      (select coalesce(sum(amount_cents), 0)::bigint from commission adjustment
        where adjustment.adjusts_commission_id = commission.id and adjustment.state <> 'voided') as adjusted_cents,
      case when sale.id is not null then json_build_object('id', sale.id, 'charge_cents', sale.charge_amount_cents, 'tax_cents', sale.tax_amount_cents,
        'refund_cents', sale.refund_amount_cents, 'amount_cents', ${SALE_AMOUNT_CENTS}, 'currency', sale.currency) end as sale
    from commission left join sale on sale.id = commission.sale_id left join reward_rule rule on rule.id = commission.rule_id
    where commission.account_id = ${accountId} and ${which}
    order by commission.id`;
}

/** Explains a commission by its facts. */
export function explained(reader: Reader, facts: Facts, lines: readonly LineRow[]): AmountExplanation {
  const { amount_cents, state, void_reason } = facts;
  const ofSale = facts.sale !== null && facts.kind !== 'adjustment' ? [countedPart(reader, facts.sale)] : [];
  const steps = [...ofSale, ...withRest(rewardSteps(reader, facts, lines), amount_cents, restOf(facts, lines))];
  if (state === 'voided')
    steps.push(
      said('voided', (language) =>
        void_reason === null || reader === 'affiliate'
          ? inLanguage(language)(t.voided.plain)
          : inLanguage(language)(t.voided.withReason, { reason: void_reason }),
      ),
    );
  return explanation(steps, facts);
}

/** Says which amount of a sale earns. */
function countedPart(
  reader: Reader,
  { charge_cents, tax_cents, refund_cents, amount_cents, currency }: NonNullable<Facts['sale']>,
): Step {
  return said('sale', (language) => {
    const say = inLanguage(language);
    const money = (cents: number) => amountIn(language, { amount_cents: cents, currency });
    const [charged, counted] = [money(charge_cents), money(amount_cents)];
    const net = charge_cents - tax_cents;
    if (reader === 'affiliate')
      return net === amount_cents
        ? say(t.sale.net, { counted })
        : say(t.sale.netRefunded, { counted, net: money(net), refunded: money(net - amount_cents) });
    const without = [
      ...(tax_cents > 0 ? [say(t.sale.tax, { amount: money(tax_cents) })] : []),
      ...(refund_cents > 0 ? [say(t.sale.refunded, { amount: money(refund_cents) })] : []),
    ];
    return without.length === 0
      ? say(t.sale.charged, { charged })
      : say(t.sale.without, { charged, counted, parts: listIn(language, without) });
  });
}

function rewardSteps(reader: Reader, facts: Facts, lines: readonly LineRow[]): Step[] {
  const { kind, amount_cents, currency, note, adjusts_commission_id, basis_points, milestone_times, sale } = facts;
  const money = (language: Language) => amountIn(language, { amount_cents, currency });
  if (lines.length > 0)
    return lines.map((line) => step('line', (language) => wordsOf(reader, line, language), line.amount_cents));
  const all = (of: Step['kind'], words: (language: Language) => string): Step[] => [step(of, words, amount_cents)];
  switch (kind) {
    case 'adjustment':
      return all('adjustment', (language) =>
        inLanguage(language)(t.reward.adjustment, { id: adjusts_commission_id ?? '', amount: money(language) }),
      );
    case 'manual':
      return all('manual', (language) =>
        note === null
          ? inLanguage(language)(t.reward.manual, { amount: money(language) })
          : inLanguage(language)(t.reward.manualWithNote, { amount: money(language), note }),
      );
    case 'imported':
      return all('imported', (language) => inLanguage(language)(t.reward.imported));
    case 'lead':
    case 'milestone':
    case 'bonus': {
      const name = reader === 'account' ? facts.rule_name : null;
      const times = milestone_times !== null && milestone_times > 1 ? milestone_times : null;
      return all('rule', (language) => {
        const say = inLanguage(language);
        const amount = money(language);
        if (times === null) return name === null ? say(t.reward.unnamedRule, { amount }) : say(t.reward.rule, { name, amount });
        return name === null
          ? say(t.reward.unnamedRuleTimes, { amount, times })
          : say(t.reward.ruleTimes, { name, amount, times });
      });
    }
    default: {
      if (basis_points === null || sale === null)
        return all('base_reward', (language) => inLanguage(language)(t.reward.fixed, { amount: money(language) }));
      const earned = shareOf(sale.amount_cents, basis_points);
      const words = (language: Language) =>
        inLanguage(language)(t.reward.share, {
          share: shareIn(language, basis_points / 10_000),
          base: amountIn(language, sale),
          earned: amountIn(language, { amount_cents: earned, currency }),
        });
      return [step('base_reward', words, earned)];
    }
  }
}

/** Says what a line of a sale earns. An affiliate also reads the name of the product, if the campaign shows it. */
function wordsOf(reader: Reader, line: LineRow, language: Language): string {
  const words = lineInWords(line, language, reader === 'account');
  return reader === 'account' || line.shown_name === null ? words : `${line.shown_name}: ${words}`;
}

/** Says what the amount has beside its parts. */
function restOf({ adjusted_cents }: Facts, lines: readonly unknown[]): (language: Language) => string {
  const text = adjusted_cents !== 0 ? t.rest.adjusted : lines.length > 0 ? t.rest.capped : t.rest.kept;
  return (language) => inLanguage(language)(text);
}

/** Adds a step for what the amount has beside its steps. */
export function withRest(steps: Step[], amount: number, words: (language: Language) => string): Step[] {
  const rest = amount - steps.reduce((sum, each) => sum + (each.amount_cents ?? 0), 0);
  return rest === 0 ? steps : [...steps, step('difference', words, rest)];
}

/** Returns a step in the words of each language. */
export function step(kind: Step['kind'], words: (language: Language) => string, amount_cents: number | null): Step {
  const in_words = inEachLanguage(words);
  return { kind, text: in_words.en, in_words, amount_cents };
}

function said(kind: Step['kind'], words: (language: Language) => string): Step {
  return step(kind, words, null);
}

export function explanation(steps: Step[], { amount_cents, currency }: Amount): AmountExplanation {
  const in_words = inEachLanguage((language) => steps.map((each) => each.in_words[language]).join(' '));
  return { amount_cents, currency, text: in_words.en, in_words, steps };
}

export interface LineRow
  extends Omit<CommissionLine, 'pay' | 'explanation'>, Pick<ExplainedLine, 'at_most_cents' | 'sale_currency' | 'currency'> {
  commission_id: string;
  pay: Pay;
  /** Name of what was sold. Null if the campaign hides it from affiliates. */
  shown_name: string | null;
}

/** SQL query: the lines of commissions, in the order of the sale. */
function selectLines(accountId: string, commissionIds: readonly string[]): RawBuilder<LineRow> {
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
