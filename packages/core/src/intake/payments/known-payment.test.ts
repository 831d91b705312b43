import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type NamingSale, saleOfPayment } from './known-payment.ts';

const sale = (id: string, values: Partial<NamingSale> = {}): NamingSale => ({
  id,
  external_id: `order-${id}`,
  charge_amount_cents: 1_000,
  repeats_sale_id: null,
  commission: { state: 'pending', voided_by_refund: false },
  is_imported: false,
  ...values,
});
const chosen = (...sales: [NamingSale, ...NamingSale[]]) => saleOfPayment(sales, 1_000).id;
const voided = { commission: { state: 'voided', voided_by_refund: false } } as const;
const refunded = { commission: { state: 'voided', voided_by_refund: true } } as const;
const paid = { commission: { state: 'paid', voided_by_refund: false } } as const;

describe('the sale of a payment that several sales name', () => {
  it.each<[string, NamingSale, NamingSale]>([
    ['the first of two reports', sale('1'), sale('2')],
    ['a report rather than an earlier sale of the provider', sale('2'), sale('1', { external_id: null })],
    ['the sale whose commission is paid', sale('2', { external_id: null, ...paid }), sale('1')],
    ['the first, if both commissions are paid', sale('1', paid), sale('2', paid)],
    ['a sale whose commission no person voided', sale('2', { external_id: null }), sale('1', voided)],
    ['the first, although its commission was refunded', sale('1', refunded), sale('2')],
    ['the first without a commission', sale('1', { commission: null }), sale('2')],
    ['the sale that the other was reduced to zero for', sale('2', voided), sale('1', { charge_amount_cents: 0, ...refunded })],
  ])('is %s', (_, expected, other) => {
    expect([chosen(expected, other), chosen(other, expected)]).toEqual([expected.id, expected.id]);
  });

  it('is the same in every order, and stays when the others are reduced to zero', () => {
    const anySale = fc.record({
      external_id: fc.constantFrom(null, 'order'),
      charge_amount_cents: fc.constantFrom(1_000, 1_200),
      commission: fc.constantFrom(null, voided.commission, refunded.commission, paid.commission, sale('1').commission),
    });
    fc.assert(
      fc.property(fc.array(anySale, { minLength: 1, maxLength: 4 }), fc.infiniteStream(fc.nat()), (drawn, numbers) => {
        const sales = drawn.map((each, index) => ({ ...each, id: String(index), repeats_sale_id: null })) as [
          NamingSale,
          ...NamingSale[],
        ];
        const { id } = saleOfPayment(sales, 1_000);
        const mixed = sales.map((each) => ({ each, at: numbers.next().value! })).toSorted((a, b) => a.at - b.at);
        const zeroed = sales.map((each) =>
          each.id === id ? each : { ...each, charge_amount_cents: 0, repeats_sale_id: id, ...refunded },
        );
        expect(saleOfPayment(mixed.map(({ each }) => each) as typeof sales, 1_000).id).toBe(id);
        expect(saleOfPayment(zeroed as typeof sales, 1_000).id).toBe(id);
      }),
    );
  });
});
