import { describe, expect, it } from 'vitest';
import { SALE_KINDS, isLive, isReportedByProvider, kindOfSale, saleAmountCents } from './sale.entity.ts';

describe('the amount of a sale', () => {
  it.each([
    [11_000, 1_000, 5_500, 5_000],
    [11_000, 1_000, 11_000, 0],
    [11_000, 1_000, 0, 10_000],
    [10_000, 0, 5_500, 4_500],
    [3, 1, 1, 1], // 2 × 1 ÷ 3 is 0.67
    [4, 2, 1, 1], // 2 × 1 ÷ 4 is exactly one half, which is rounded away from zero
    [1_000, 1_000, 400, 0],
    [0, 0, 0, 0],
  ])('of a charge of %i with %i tax and %i refunded is %i', (charge, tax, refunded, amount) => {
    const sale = {
      charge_amount_cents: charge,
      tax_amount_cents: tax,
      refund_amount_cents: refunded,
      credit_note_refund_cents: 0,
      credit_note_tax_cents: 0,
    };
    expect(saleAmountCents(sale)).toBe(amount);
  });

  it.each([
    [5_500, 5_500, 0, 4_500], // the note states no tax, so all of the refund reduces the net amount
    [5_500, 5_500, 1_000, 5_500],
    [11_000, 5_500, 0, 0],
    [11_000, 11_000, 1_000, 0],
    [8_250, 5_500, 1_000, 2_750], // the note has used up the tax, so the other 2,750 reduce the net amount in full
    [8_250, 5_500, 0, 2_250], // the other 2,750 are half of the charge that the note leaves, so half of the 4,500 remains
  ])('of 11,000 with 1,000 tax and %i refunded, %i of it with %i tax, is %i', (refunded, noted, creditNoteTax, amount) => {
    const sale = {
      charge_amount_cents: 11_000,
      tax_amount_cents: 1_000,
      refund_amount_cents: refunded,
      credit_note_refund_cents: noted,
      credit_note_tax_cents: creditNoteTax,
    };
    expect(saleAmountCents(sale)).toBe(amount);
  });
});

it.each([
  ['the merchant', { livemode: null, external_id: 'order 1' }, 'merchant', true, false],
  ['the merchant, and then the provider', { livemode: true, external_id: 'order 1' }, 'provider', true, true],
  ['the merchant, and then the provider in test mode', { livemode: false, external_id: 'order 1' }, 'test', false, true],
  ['the provider', { livemode: true, external_id: null }, 'provider', true, true],
  ['the provider, before modes were known', { livemode: null, external_id: null }, 'provider', true, true],
  ['the provider in test mode', { livemode: false, external_id: null }, 'test', false, true],
] as const)('a sale that was told by %s', (_, sale, kind, live, byProvider) => {
  expect([kindOfSale(sale), isLive(sale), isReportedByProvider(sale)]).toEqual([SALE_KINDS[kind], live, byProvider]);
});
