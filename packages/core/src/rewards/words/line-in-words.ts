import { amountIn, inLanguage, shareIn } from '../../platform/mail/in-language.ts';
import type { Language, Texts } from '../../platform/texts/texts.ts';
import type { LineNote, Pay } from '../worth/rule.ts';

/** The reward of a line of a sale, and the rule that decides it. */
export interface ExplainedLine {
  /** Name and version of the rule that decided; null for the base reward. */
  rule_name: string | null;
  rule_version: number | null;
  pay: Pay;
  note: LineNote | null;
  quantity: number;
  at_most_cents: number | null;
  /** Amount of the line after refunds, in the currency of the sale. */
  base_cents: number;
  sale_currency: string;
  /** Reward of the line, in the currency of the commission. */
  amount_cents: number;
  currency: string;
}

/** Wordings of what a line of a sale earns. */
export const LINE_TEXTS = {
  line: {
    base: { en: 'No rule matches, so the base reward decides', de: 'Keine Regel passt, also entscheidet die Grundprovision' },
    rule: { en: 'The rule “{name}” (version {version}) decides', de: 'Die Regel „{name}“ (Version {version}) entscheidet' },
    unnamedRule: { en: 'A special reward decides', de: 'Eine besondere Provision entscheidet' },
    otherCurrency: {
      en: '{by}. It pays in another currency than the commission, and nothing is converted.',
      de: '{by}. Sie zahlt in einer anderen Währung als die Provision, und nichts wird umgerechnet.',
    },
    capOtherCurrency: {
      en: 'The maximum of the rule is in another currency than its payment, so it does not count.',
      de: 'Das Höchste der Regel ist in einer anderen Währung als ihre Zahlung und zählt deshalb nicht.',
    },
    atMost: { en: 'At most {amount} for all lines of the rule.', de: 'Höchstens {amount} für alle Posten der Regel.' },
    nothing: { en: 'nothing', de: 'nichts' },
    refunded: { en: 'nothing is left of the line after refunds', de: 'nach Erstattungen bleibt von diesem Posten nichts' },
    percent: { en: '{share} of {base} is {earned}', de: '{share} von {base} sind {earned}' },
    perUnit: { en: '{each} for each of {quantity} units is {earned}', de: '{each} für jedes von {quantity} Stück sind {earned}' },
    perSale: {
      en: '{each} for the lines of the rule, of which this line has {earned}',
      de: '{each} für die Posten der Regel, davon {earned} für diesen',
    },
  },
} as const satisfies Texts;

const t = LINE_TEXTS.line;

/**
 * Explains what a line of a sale earns: the rule that decided, and what it pays.
 *
 * @param isNamed false for affiliates, who do not see the names that merchants give to rules
 */
export function lineInWords(line: ExplainedLine, language: Language = 'en', isNamed = true): string {
  const { rule_name, rule_version, note, at_most_cents, currency } = line;
  const say = inLanguage(language);
  const by =
    rule_version === null
      ? say(t.base)
      : isNamed
        ? say(t.rule, { name: rule_name ?? '', version: String(rule_version) })
        : say(t.unnamedRule);
  if (note === 'other_currency') return say(t.otherCurrency, { by });
  const sentences = [`${by}: ${rewardOf(line, language)}.`];
  if (note === 'cap_other_currency') sentences.push(say(t.capOtherCurrency));
  else if (at_most_cents !== null)
    sentences.push(say(t.atMost, { amount: amountIn(language, { amount_cents: at_most_cents, currency }) }));
  return sentences.join(' ');
}

function rewardOf(
  { pay, quantity, base_cents, sale_currency, amount_cents, currency }: ExplainedLine,
  language: Language,
): string {
  const say = inLanguage(language);
  if (pay.kind === 'nothing') return say(t.nothing);
  const earned = amountIn(language, { amount_cents, currency });
  if (base_cents === 0) return say(t.refunded);
  if (pay.kind === 'percent') {
    const base = amountIn(language, { amount_cents: base_cents, currency: sale_currency });
    return say(t.percent, { share: shareIn(language, pay.basis_points / 10_000), base, earned });
  }
  const each = amountIn(language, pay);
  return pay.per === 'unit' ? say(t.perUnit, { each, quantity, earned }) : say(t.perSale, { each, earned });
}
