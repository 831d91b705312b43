import { describe, expect, it } from 'vitest';
import { IDENTITY_MAILS } from './identity/mail-texts.ts';
import { EXPLANATION_TEXTS } from './ledger/commissions/explain-amounts.ts';
import { OUTLOOK_TEXTS } from './ledger/payouts/payment-outlook.ts';
import { PAYOUT_MAILS } from './payouts/port/mail-texts.ts';
import { amountIn, dayIn, inLanguage, listIn, timeIn } from './platform/mail/in-language.ts';
import { LETTER_TEXTS } from './platform/mail/letter.ts';
import { LANGUAGES, type Text } from './platform/texts/texts.ts';
import { CARD_TEXTS } from './portal/cards/program-card.ts';
import { REWARD_TEXTS } from './portal/home/reward.ts';
import { PORTAL_MAILS } from './portal/mail-texts.ts';
import { STATEMENT_TEXTS } from './portal/payouts/statement-pdf.ts';
import { AFFILIATE_MAILS } from './program/affiliate-mails/mail-catalog.ts';
import { PROGRAM_MAILS } from './program/mail-texts.ts';
import { REPORT_MAILS } from './reports/mail-texts.ts';
import { LINE_TEXTS } from './rewards/words/line-in-words.ts';
import { RULE_TEXTS } from './rewards/words/rule-in-words.ts';
import { SOURCE_MAILS } from './sources/connections/mail-texts.ts';
import { WEBHOOK_MAILS } from './webhooks/mail-texts.ts';

const CATALOGUES = {
  LETTER_TEXTS,
  IDENTITY_MAILS,
  WEBHOOK_MAILS,
  PROGRAM_MAILS,
  PAYOUT_MAILS,
  SOURCE_MAILS,
  REPORT_MAILS,
  PORTAL_MAILS,
  AFFILIATE_MAILS,
  REWARD_TEXTS,
  RULE_TEXTS,
  LINE_TEXTS,
  OUTLOOK_TEXTS,
  EXPLANATION_TEXTS,
  STATEMENT_TEXTS,
  CARD_TEXTS,
};

/** English words that do not occur in German texts. */
const ENGLISH = /\b(?:the|your|you|is|are|of|and|not|this|with|has|have|be)\b/i;

function isText(value: object): value is Text {
  return LANGUAGES.every((language) => Object.hasOwn(value, language));
}

/** Returns all texts below a node of a catalogue, with their paths. */
function textsIn(node: unknown, path: string): [path: string, text: Text][] {
  if (typeof node !== 'object' || node === null) return [];
  if (isText(node)) return [[path, node]];
  return Object.entries(node).flatMap(([name, child]) => textsIn(child, `${path}.${name}`));
}

const formsOf = (form: Text['en']): string[] => (typeof form === 'string' ? [form] : [form.one, form.other]);
const placesOf = (form: string) => [...new Set([...form.matchAll(/\{+(\w+)\}+/g)].map(([place]) => place))].toSorted();
const texts = textsIn(CATALOGUES, 'mails');

describe('the mail texts', () => {
  it('include the texts of every catalog', () => {
    expect(texts.length).toBeGreaterThan(100);
    for (const name of Object.keys(CATALOGUES)) expect(texts.some(([path]) => path.startsWith(`mails.${name}.`))).toBe(true);
  });

  it('are translated into every language, with the same placeholders', () => {
    for (const [path, text] of texts) {
      const [english, german] = [formsOf(text.en), formsOf(text.de)];
      expect([path, english.length, ...english, ...german].every((part) => part !== '')).toBe(true);
      expect([path, german.map(placesOf)]).toEqual([path, english.map(placesOf)]);
      expect([path, german.filter((form) => ENGLISH.test(form.replaceAll(/\{+\w+\}+/g, '')))]).toEqual([path, []]);
      expect([path, german]).not.toEqual([path, english]);
    }
  });
});

describe('rendering in a language', () => {
  const text = {
    en: { one: '{count} of {name}', other: '{count} from {name}' },
    de: { one: '{count} von {name}', other: '{count} aus {name}' },
  } as const;

  it('chooses the plural form, and inserts values literally', () => {
    expect(inLanguage('en')(text, { count: 1, name: '{count}$&' })).toBe('1 of {count}$&');
    expect(inLanguage('de')(text, { count: 12_000, name: 'Ada' })).toBe('12.000 aus Ada');
  });

  it.each([
    ['en', 'US$1,234.50', '¥500', '22 November 2026', '15:05 CET', 'a, b and c'],
    ['de', '1.234,50\u00a0$', '500\u00a0¥', '22. November 2026', '15:05 MEZ', 'a, b und c'],
  ] as const)('formats amounts, days, times and lists by the rules of %s', (language, dollars, yen, day, time, list) => {
    expect(amountIn(language, { amount_cents: 123_450, currency: 'USD' })).toBe(dollars);
    expect(amountIn(language, { amount_cents: 500, currency: 'JPY' }).replace('JP', '')).toBe(yen);
    expect([dayIn(language, '2026-11-22', 'UTC'), timeIn(language, '2026-11-22T14:05:59.000Z', 'Europe/Berlin')]).toEqual([
      day,
      time,
    ]);
    expect([dayIn(language, '2026-11-21T10:00:00.000Z', 'Pacific/Kiritimati'), timeIn(language, '2026-11-22', 'UTC')]).toEqual([
      day,
      '00:00 UTC',
    ]);
    expect(listIn(language, ['a', 'b', 'c'])).toBe(list);
  });
});
