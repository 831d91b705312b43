import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';
import { readableParts, readableText } from './readable-message.ts';

const ID = 'payout_01k9v7m3q8e2t4r6w8y0a1b2c3';

test('a message names records by links, and fields by their labels', () => {
  expect(readableParts(`Payout ${ID} lacks \`walleta_email\`.`)).toEqual([
    { text: 'Payout ' },
    { id: ID },
    { text: ' lacks “PayPal email”.' },
  ]);
  expect(readableText(ID)).toBe('…a1b2c3');
});

/** Wire names, ids and names of procedures, which mean nothing to people. */
const INTERNAL =
  /wallet[ab]|\bpsp_|\b(?:acct|aff|camp|com|cust|link|payout|pexp|prun|ref|sale)_[0-9a-z]|\b[a-z]+(?:_[a-z]+)+\b|\b[a-z]+[A-Z][A-Za-z]*\.[a-z]+|\b(?:affiliates|campaigns|commissions|payouts|sales)\.[a-z]/;

interface Node {
  type: string;
  value?: unknown;
  callee?: { name?: string };
  arguments?: unknown[];
  quasis?: { value: { cooked: string } }[];
}

/** Returns the texts below a node, without the keys of objects. */
function textsBelow(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const { type, value, quasis } = node as Node;
  if (type === 'Literal') return typeof value === 'string' ? [value] : [];
  if (type === 'TemplateLiteral') return [quasis!.map((part) => part.value.cooked).join('')];
  return Object.entries(node).flatMap(([name, child]) => (name === 'key' ? [] : textsBelow(child)));
}

/** Names that a merchant meets in addresses, in Stripe and in scripts, and an id of Stripe as an example. */
const KNOWN =
  /\bacct_1032D82eZvKYlo2C\b|\{\w+\}|\butm_\w+|\baffiliate_referral\b|\bclient_reference_id\b|\baffiliate\.referral\b/g;

const PACKAGES = join(import.meta.dirname, '../../..');

function sources(pattern: string): string[] {
  return globSync(pattern, { cwd: PACKAGES }).filter((path) => !path.endsWith('.test.ts'));
}

const parsed = (path: string) => parseSync(path, readFileSync(join(PACKAGES, path), 'utf8')).program;

/** Returns the texts of a catalogue, in both languages. */
function catalogued(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const { callee, arguments: given } = node as Node;
  if (callee?.name === 'texts' || callee?.name === 'reasons') return given!.flatMap(textsBelow);
  return Object.values(node).flatMap(catalogued);
}

test('no refusal that people read has an internal name or a bare id', () => {
  const files = sources('core/src/{attribution,codes,ledger,payouts,portal,program,rewards,webhooks}/**/reasons.ts');
  const texts = files
    .flatMap((path) => catalogued(parsed(path)))
    .map((text) => text.replaceAll(/\{\w+\}/g, ID).replaceAll(KNOWN, ''));
  expect(texts.length).toBeGreaterThan(500);
  expect(texts.map(readableText).filter((text) => INTERNAL.test(text))).toEqual([]);
});

test('no text of the pages has an internal name or a bare id', () => {
  const texts = sources('web/src/texts/*.ts').flatMap((path) => catalogued(parsed(path)));
  expect(texts.length).toBeGreaterThan(2_000);
  expect(texts.filter((text) => INTERNAL.test(text.replaceAll(KNOWN, '')))).toEqual([]);
});
