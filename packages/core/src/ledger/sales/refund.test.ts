import { describe, expect, it } from 'vitest';
import { countedRefunds, type MerchantRefund, refundedAmount } from './refund.ts';

/** A refund of a report, by the id of its sale. Null: several reports named it. */
const refund = (of: string | null, amount_cents: number, repeated = false): MerchantRefund => ({
  reported_sale_id: of,
  amount_cents,
  repeated,
});
const cents = (refunds: MerchantRefund[]) => countedRefunds('own', refunds).map(({ amount_cents }) => amount_cents);

describe('the refunds of a payment that was reported twice', () => {
  it('are those of the report that states most', () => {
    expect(cents([refund('own', 100), refund('other', 150)])).toEqual([150]);
    expect(cents([refund('own', 100), refund('other', 60), refund('other', 70)])).toEqual([60, 70]);
    expect(cents([refund('own', 200), refund('other', 150), refund('third', 10)])).toEqual([200]);
  });

  it('are those of the own report if both state the same, whatever the order', () => {
    const refunds = [refund('a', 100), refund('own', 60), refund('own', 40), refund('z', 100)];
    expect(cents(refunds)).toEqual([60, 40]);
    expect(cents(refunds.toReversed())).toEqual([40, 60]);
    const others = [refund('z', 100), refund('a', 60), refund('a', 40)];
    expect(cents(others)).toEqual([60, 40]);
    expect(cents(others.toReversed())).toEqual([40, 60]);
  });

  it('that both reports name are one', () => {
    expect(cents([refund(null, 50), refund('own', 10), refund('other', 20)])).toEqual([50, 20]);
  });

  it('are all, if one report names them', () => {
    expect(cents([refund('other', 50), refund(null, 60), refund('other', 70)])).toEqual([50, 60, 70]);
    expect(cents([refund(null, 60)])).toEqual([60]);
    expect(cents([])).toEqual([]);
  });
});

describe('the refunded amount of a payment', () => {
  const amount = (byProvider: number, ...refunds: MerchantRefund[]) => {
    const { total, uncounted } = refundedAmount({ id: 'own', charge_amount_cents: 1_000 }, byProvider, refunds);
    return [total, uncounted];
  };

  it('is the largest total that somebody states', () => {
    expect(amount(300, refund('own', 100))).toEqual([300, 0]);
    expect(amount(100, refund('own', 300))).toEqual([300, 0]);
    expect(amount(0)).toEqual([0, 0]);
  });

  it('leaves out the refunds of other reports, up to the charge, unless the provider states as much as each of them', () => {
    const two = [refund('own', 300), refund('other', 200)];
    expect(amount(0, ...two)).toEqual([300, 200]);
    expect(amount(299, ...two)).toEqual([300, 200]);
    expect(amount(300, ...two)).toEqual([300, 0]);
    expect(amount(0, refund('own', 900), refund('other', 200))).toEqual([900, 100]);
    expect(amount(0, refund('own', 1_200), refund('other', 200))).toEqual([1_200, 0]);
  });

  it('leaves out none that a person has found to be the same as others', () => {
    expect(amount(0, refund('own', 300), refund('other', 200, true))).toEqual([300, 0]);
    expect(amount(0, refund('own', 300, true), refund('other', 200))).toEqual([300, 0]);
  });
});
