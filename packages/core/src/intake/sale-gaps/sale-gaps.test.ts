import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NO_COMMISSION_REASONS, PAID_OUTSIDE } from '../../ledger/sales/sale.entity.ts';
import { PAYMENT_WAYS } from '../../sources/port/seen.ts';
import { GAPS } from './sale-gap.schema.ts';
import { type GapFacts, gapOfSale } from './sale-gaps.ts';

const UNNAMED: GapFacts = {
  reason: 'no_referral',
  isReported: false,
  paidOutside: null,
  way: null,
  line: null,
  strayReference: null,
  unknownCodes: [],
  claimedLaterAt: null,
};

describe('a sale without a referral', () => {
  test.each([
    ['payment_link', 'https://buy.stripe.com/…?client_reference_id=${referralId}'],
    ['checkout', 'stripe.checkout.sessions.create({ …, client_reference_id: referralId })'],
    ['subscription', 'stripe.subscriptions.create({ …, metadata: { referral: referralId } })'],
    ['invoice', 'stripe.invoices.create({ …, metadata: { referral: referralId } })'],
    [null, 'stripe.paymentIntents.create({ …, metadata: { referral: referralId } })'],
  ] as const)('lacked the line of code of its way to pay: %s', (way, text) => {
    expect(gapOfSale({ ...UNNAMED, way })).toMatchObject({
      gap: 'no_reference',
      way: way ?? 'payment',
      fixes: [{ kind: 'code', text }],
    });
  });

  test('lacked the line of code of its provider', () => {
    const line = 'Paddle.Checkout.open({ …, customData: { referral: referralId } })';
    expect(gapOfSale({ ...UNNAMED, way: 'checkout', line })).toMatchObject({
      way: 'payment',
      explanation: expect.not.stringContaining('client_reference_id'),
      fixes: [{ kind: 'code', text: line }],
    });
  });

  test('that the merchant reported lacked the field of the report', () => {
    expect(gapOfSale({ ...UNNAMED, isReported: true, way: 'invoice' })).toMatchObject({
      way: 'report',
      explanation: 'The report named neither a referral nor the promo code of an affiliate.',
      fixes: [{ text: 'POST /track/sales { …, "referral_id": referralId }' }],
    });
  });

  test('whose reference is not a referral says which reference', () => {
    const gap = gapOfSale({ ...UNNAMED, way: 'checkout', strayReference: 'user 42', claimedLaterAt: '2026-01-01T00:00:00.000Z' });
    expect(gap).toMatchObject({ gap: 'unknown_reference', reference: 'user 42', named_at: null });
    expect(gap.explanation).toContain('“user 42”');
  });

  test('for which a code of nobody was redeemed could count by the code, too', () => {
    expect(gapOfSale({ ...UNNAMED, unknownCodes: ['promo_1'] })).toMatchObject({
      explanation: expect.stringContaining('The promotion code promo_1 belongs to no affiliate.'),
      fixes: [{ kind: 'code' }, { kind: 'setting', text: 'promo_codes.psp_promotion_code_id: promo_1' }],
    });
  });

  test.each(['no_referral', 'before_visit'] as const)('whose referral was named later says when (%s)', (reason) => {
    const at = '2026-01-01T00:00:00.000Z';
    expect(gapOfSale({ ...UNNAMED, reason, claimedLaterAt: at })).toMatchObject({ gap: 'named_later', named_at: at });
  });

  test('whose visit came after the payment can only be reported', () => {
    expect(gapOfSale({ ...UNNAMED, reason: 'before_visit' })).toMatchObject({
      gap: 'before_visit',
      fixes: [{ text: 'POST /track/sales { …, "referral_id": referralId }' }],
    });
  });
});

test.each([
  ['referral_expired', 'campaign.days_before_referrals_expire'],
  ['referral_deactivated', 'referral.deactivated_at: null'],
  ['affiliate_inactive', 'affiliate.state: active'],
  ['campaign_archived', 'campaign.archived_at: null'],
  ['max_commissions_reached', 'campaign.max_commissions'],
  ['commission_period_over', 'campaign.max_commission_period_months'],
] as const)('a sale that was refused (%s) names the setting', (reason, text) => {
  expect(gapOfSale({ ...UNNAMED, reason, strayReference: 'user 42' })).toMatchObject({
    gap: reason,
    reference: null,
    fixes: [{ kind: 'setting', text }],
  });
});

test('an excluded payment names the metadata, and a payment outside Stripe the setting', () => {
  const excluded = { ...UNNAMED, reason: 'excluded' } as const;
  expect(gapOfSale(excluded)).toMatchObject({ gap: 'excluded', fixes: [{ text: "metadata: { affiliate: '' }" }] });
  expect(gapOfSale({ ...excluded, paidOutside: 'excluded' })).toMatchObject({
    gap: 'paid_outside',
    fixes: [{ kind: 'setting', text: 'pspConnection.outside_payments: count' }],
  });
});

test('every sale without a commission says one thing in words, with a fix unless there was nothing to earn', () => {
  const facts: fc.Arbitrary<GapFacts> = fc.record({
    reason: fc.constantFrom(...NO_COMMISSION_REASONS),
    isReported: fc.boolean(),
    paidOutside: fc.constantFrom(null, ...PAID_OUTSIDE),
    way: fc.constantFrom(null, ...PAYMENT_WAYS),
    line: fc.constantFrom(null, 'a line'),
    strayReference: fc.option(fc.string({ minLength: 1 })),
    unknownCodes: fc.array(fc.string({ minLength: 1 }), { maxLength: 2 }),
    claimedLaterAt: fc.option(fc.constant('2026-01-01T00:00:00.000Z')),
  });
  fc.assert(
    fc.property(facts, (known) => {
      const found = gapOfSale(known);
      expect(found).toEqual(gapOfSale({ ...known }));
      expect(GAPS).toContain(found.gap);
      expect(found.explanation).toMatch(/\.$/);
      expect(found.fixes.length > 0).toBe(known.reason !== 'nothing_to_earn');
    }),
  );
});
