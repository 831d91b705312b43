/** Every situation is told for every source: `tellStories` holds it for each file of stories, and a table for Stripe, whose payments come in pieces. */
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createSources } from '@affiliate/core';
import { expect, it } from 'vitest';
import { SITUATIONS } from './stories.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(resolve(ROOT, file), 'utf8');

/** Tests of the situations of Stripe, by their file and title. */
const STRIPE: Readonly<Record<(typeof SITUATIONS)[number], readonly [file: string, title: string]>> = {
  sale: ['test/psp/payment-events.test.ts', 'has the same result in any order and when repeated'],
  renewal: ['test/psp/payment-events.test.ts', 'has renewals that are attributed to the customer’s referral'],
  'trial of 0': [
    'test/psp/payment-events.test.ts',
    'with a trial binds the customer and makes the referral a lead before the first payment',
  ],
  'negative lines': ['test/psp/lines.test.ts', 'reduces the lines of a product by the unused time of this product first'],
  'partial refund': [
    'test/psp/refund-events.test.ts',
    'settles the commission once when refunds are reported singly and in total, in any order',
  ],
  'full refund': ['test/psp/refund-events.test.ts', 'voids the commission by a full refund, but not by a failed refund'],
  'failed refund': ['test/psp/refund-events.test.ts', 'restores the commission on its original terms when a full refund fails'],
  'open dispute': [
    'test/psp/disputes.test.ts',
    'has the same result in every order of charge, refund, opening and end (%s, %i seconds apart)',
  ],
  'won dispute': ['test/psp/disputes.test.ts', 'holds the commission back from payouts, and releases it when it is won'],
  'lost dispute': ['test/psp/disputes.test.ts', 'takes the commission back when it is lost, in part or in full'],
  'reversed chargeback': ['test/psp/disputes.test.ts', "'won and lost in the same second': [lost(2 * apart), won(2 * apart)]"],
  'test payment': [
    'test/psp/promo-code-attribution.test.ts',
    'attributes a test payment by the test code, even if the merchant also reports the payment',
  ],
  guest: ['test/psp/payment-events.test.ts', 'of a guest is matched by the email address alone'],
  'changed address': [
    'test/psp/event-order.test.ts',
    'customers who share an address or an id are merged, in whatever order these are reported',
  ],
  'redeemed code': ['test/psp/promo-code-attribution.test.ts', 'a code attributes the sale to its owner, in any case'],
  'currency without decimals': ['packages/core/src/sources/stripe/read-event.test.ts', "['jpy', 1500, 1500]"],
  'currency with three decimals': ['packages/core/src/sources/stripe/read-event.test.ts', "['kwd', 1500, 1500]"],
};

it.each([...createSources().keys()].filter((kind) => kind !== 'stripe'))('every situation of %s has its story', (kind) => {
  const files = [`${kind.replaceAll('_', '-')}.test.ts`, `${kind}-stories.test.ts`].map((name) => `test/sources/${name}`);
  const told = files.filter((file) => existsSync(resolve(ROOT, file)) && read(file).includes('tellStories({'));
  expect(told).toHaveLength(1);
});

it.each(SITUATIONS)('the situation %s of Stripe has its test', (situation) => {
  const [file, title] = STRIPE[situation];
  expect(read(file)).toContain(title);
});
