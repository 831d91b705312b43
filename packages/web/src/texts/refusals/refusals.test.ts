import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { describe, expect, it } from 'vitest';
import { readableText } from '../../components/readable-message.ts';
import { GERMAN, NEUTRAL, WORDS } from './sentences.ts';
import { envelopeInGerman, germanLabelOf, inGerman } from './translate.ts';

const PACKAGES = join(import.meta.dirname, '../../../..');

/** Files whose sentences are not refusals that a page shows. */
const NO_REFUSALS = [
  // Reports and explanations. Pages say them by their codes.
  /^core\/src\/attribution\/(explain-sale|left-behind)\.ts$/,
  /^core\/src\/ledger\/(commissions\/explain-amounts|payouts\/explain-payouts)\.ts$/,
  /^core\/src\/intake\/sale-gaps\/gap-of-sale\.ts$/,
  /^core\/src\/ledger\/earning\/carry-debts\.ts$/,
  /^core\/src\/payouts\/runs\/(contradictions|reconcile|payout-run\.schema)\.ts$/,
  /^core\/src\/portal\/home\/reward\.ts$/,
  /^core\/src\/rewards\/words\//,
  // Errors of events, logs and programs, which only operators and programmers read.
  /^core\/src\/identity\/oauth\/(register-client|tokens)\.ts$/,
  /^core\/src\/sources\/stripe\/assembly\/complete-event\.ts$/,
  /^core\/src\/intake\/provider-events\/(event-attempts|reconcile-events|reconcile-payments)\.ts$/,
  /^core\/src\/platform\/(call\/(lock-ledger|transaction)|money\/money)\.ts$/,
  /^core\/src\/platform\/db\//,
  // Reasons in declarations of tables.
  /^core\/src\/\w+\/tables\.ts$/,
  // Descriptions of operations, fields and examples.
  /^core\/src\/procedures\//,
  /^core\/src\/webhooks\/events\/wire-samples\.ts$/,
];

/** Sentences of the other files that are not refusals. */
const OTHERS = [
  'The API key has been revoked.',
  'If this email address has an account, an email with a link is on its way.',
  'This procedure does not declare a permission, so nobody may call it.',
  // The effect of a rule, as tools say it. Pages show the amounts.
  'Applies to sales from now on. No sale of {} would have earned anything.',
  'Applies to sales from now on; {} would have cost the same: {}.',
  'Applies to sales from now on; {} would have cost {} instead of {}.',
  // Descriptions of fields.
  'Landing page of the campaign, also used for visitors of inactive links.',
  // The parts of other sentences. A comparison is a value of the sentence “Must be {}.”
  'Must be {} {}.',
];

/** Files of the REST door whose refusals a page can meet. */
const DOOR = 'rest/src/{credentials,same-origin,trpc,upload-body}.ts';

interface Node {
  type?: string;
  value?: unknown;
  callee?: { name?: string; property?: { name?: string } };
  arguments?: unknown[];
  quasis?: { value: { cooked: string } }[];
  expressions?: unknown[];
  key?: { name?: string; value?: string };
}

/** Functions whose texts describe the contract, or are for programmers. */
const NOT_SHOWN = /^(?:describe|meta|Error|TypeError|RangeError|debug|info|warn|error)$/;
/** Properties with texts of emails and of the contract. */
const DOCUMENTATION = /^(?:de|description|en|example|internal|note|summary|title|when)$/;

/** Returns the sentences of a source file. `{}` stands for a value. */
function sentencesIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const { type = '', value, callee, quasis, expressions, key } = node as Node;
  if (/^(?:Import|ExportAll|TaggedTemplate|TS(?!As|Satisfies|NonNull))/.test(type)) return [];
  if (callee && NOT_SHOWN.test(callee.name ?? callee.property?.name ?? '')) return sentencesIn(callee);
  if (type === 'Property' && DOCUMENTATION.test(key?.name ?? key?.value ?? '')) return [];
  if (type === 'Literal') return typeof value === 'string' && isSentence(value) ? [value] : [];
  if (type === 'TemplateLiteral') {
    const text = quasis!.map((part) => part.value.cooked).join('{}');
    return [...(isSentence(text) ? [text] : []), ...sentencesIn(expressions)];
  }
  return Object.values(node).flatMap(sentencesIn);
}

const isSentence = (text: string) => /^[\p{Lu}{“`][^\n]*[.…]$/u.test(text) && /\p{Letter}{2}/u.test(text);

function sentencesOf(pattern: string): string[] {
  return globSync(pattern, { cwd: PACKAGES })
    .filter((path) => !path.endsWith('.test.ts') && !NO_REFUSALS.some((excluded) => excluded.test(path)))
    .flatMap((path) => sentencesIn(parseSync(path, readFileSync(join(PACKAGES, path), 'utf8')).program))
    .filter((sentence) => !OTHERS.includes(sentence));
}

describe('a refusal', () => {
  const sentences = [...new Set([...sentencesOf('core/src/**/*.ts'), ...sentencesOf(DOOR)])];

  it('has a German text, whatever its reason', () => {
    expect(sentences.length).toBeGreaterThan(300);
    expect(sentences.filter((sentence) => !Object.hasOwn(GERMAN, sentence))).toEqual([]);
  });

  it('names no ids, fields or procedures in German, but those that a person enters', () => {
    const values = /\{[^}]*\}|customer_id|(?:whsec|acct|sk_test|rk_live|rk_test)_\w*/g;
    const texts = [GERMAN, WORDS, NEUTRAL].flatMap((texts) => Object.values(texts));
    expect(texts.filter((text) => /`|[a-z]_[a-z]|\/api\//.test(text.replaceAll(values, '')))).toEqual([]);
  });

  it('has only values in German that it has in English', () => {
    const wrong = Object.entries(GERMAN).filter(([english, german]) => {
      const count = english.split('{}').length - 1;
      return [...german.matchAll(/\{(\d+)\}/g)].some(([, index]) => Number(index) >= count);
    });
    expect(wrong).toEqual([]);
  });

  it('has no German text without a refusal', () => {
    const library = /^(?:Invalid|Token|Password|Session|Has at most) ?/;
    expect(Object.keys(GERMAN).filter((english) => !sentences.includes(english) && !library.test(english))).toEqual([]);
  });
});

describe('a translated refusal', () => {
  it.each([
    ['No such campaign.', 'Kampagne nicht gefunden.'],
    ['No such payout.', 'Auszahlung nicht gefunden.'],
    ['Must have at least 3 characters.', 'Muss mindestens 3 Zeichen haben.'],
    ['Must have exactly 1 item.', 'Muss genau 1 Eintrag haben.'],
    ['Must be at most 100.', 'Muss höchstens 100 sein.'],
    ['Must be an email address.', 'Muss eine E-Mail-Adresse sein.'],
    [
      'This export is paid; its payouts can no longer be released.',
      'Dieser Export hat den Status „bezahlt“. Seine Auszahlungen lassen sich nicht mehr freigeben.',
    ],
    [
      'Unknown placeholder {{name}}. Use {{first_name}}.',
      'Den Platzhalter {{name}} gibt es nicht. Möglich sind: {{first_name}}.',
    ],
    [
      'Enter an address on tea.example, e.g. https://tea.example/pricing.',
      'Geben Sie eine Adresse auf tea.example ein, z. B. https://tea.example/preise.',
    ],
  ])('of “%s” is “%s”', (english, german) => {
    expect(inGerman(english)).toBe(german);
  });

  it('names the field, and never the wire name in the summary', () => {
    const details = [{ path: 'payout_ids', code: 'none_eligible', message: 'Must not be empty.' }];
    expect(envelopeInGerman({ error: 'payout_ids: Must not be empty.', code: 'VALIDATION_ERROR', details })).toEqual({
      error: 'Bitte ausfüllen.',
      code: 'VALIDATION_ERROR',
      details: [{ ...details[0], message: 'Bitte ausfüllen.', label: 'Auszahlungen' }],
    });
    expect(germanLabelOf('rules.3.commission_percent')).toBe('Prozent vom Verkauf');
  });

  it('is neutral if the text is not known', () => {
    const details = [{ path: 'psp_coupon_id', code: 'x', message: 'Coupon is not combinable' }];
    expect(envelopeInGerman({ error: 'Whatever', code: 'CONFLICT' }).error).toBe(NEUTRAL.CONFLICT);
    expect(envelopeInGerman({ error: 'Whatever', code: 'UNHEARD_OF' }).error).toBe(NEUTRAL.INTERNAL_ERROR);
    expect(envelopeInGerman({ error: 'x', code: 'VALIDATION_ERROR', details }).error).toBe(NEUTRAL.VALIDATION_ERROR);
  });

  it('keeps the ids of records, which the page shows as links', () => {
    const id = 'payout_01k9v7m3q8e2t4r6w8y0a1b2c3';
    expect(readableText(inGerman(`Ada (payout ${id}) has no PayPal address.`)!)).toBe(
      'Ada (Auszahlung …a1b2c3) hat keine Adresse für PayPal.',
    );
  });
});
