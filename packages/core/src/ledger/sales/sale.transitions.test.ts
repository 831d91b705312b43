import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Sale, saleAmountCents } from './sale.entity.ts';
import { amendedSale, isRefunded, type SaleAmendment } from './sale.transitions.ts';

const AT = { reported: '2026-11-27T12:00:00.000Z', told: '2026-11-27T11:00:00.000Z', later: '2026-11-27T10:00:00.000Z' };

const SALE = {
  id: 'sale_1',
  names: ['charge:ch_1'],
  name_of_group: null,
  excluded: false,
  charged_at: AT.reported,
  redated_from: null,
  reconsidered_at: null,
  charge_amount_cents: 1_200,
  tax_amount_cents: 200,
  tax_ignored: false,
  currency: 'EUR',
  report: null,
  refund_amount_cents: 0,
  credit_note_refund_cents: 0,
  credit_note_tax_cents: 0,
  uncounted_refund_cents: null,
} as unknown as Sale;

/** The facts of the payment, as the sale has them. */
const FACTS: Partial<SaleAmendment> = {
  names: SALE.names,
  name_of_group: null,
  excluded: false,
  charged_at: AT.reported,
  charge_amount_cents: 1_200,
  tax_amount_cents: 200,
  tax_ignored: false,
  currency: 'EUR',
};

const amended = (sale: Partial<Sale>, more: Partial<SaleAmendment>) =>
  amendedSale({ ...SALE, ...sale }, { ...FACTS, ...more } as SaleAmendment);

describe('a sale with the facts of its payment', () => {
  it('is the same if nothing changes', () => {
    expect(amendedSale(SALE, { ...FACTS, names: [] } as never)).toBe(SALE);
  });

  it.each<[string, Partial<SaleAmendment>, number]>([
    ['tells none', { tax_amount_cents: 0 }, 190],
    ['tells another', { tax_amount_cents: 100 }, 100],
    ['tells another amount', { charge_amount_cents: 1_100, tax_amount_cents: 0 }, 0],
    ['tells another currency', { currency: 'USD', tax_amount_cents: 0 }, 0],
    ['tells one in another currency', { tax_amount_cents: 0, tax_ignored: true }, 0],
  ])('has the tax that counts beside that of its report if the source %s', (_, facts, tax) => {
    const report = { amount_cents: 1_200, tax_amount_cents: 190, currency: 'EUR' } as Sale['report'];
    expect(amended({ report }, facts).tax_amount_cents).toBe(tax);
  });

  it('keeps its names, and gets further ones', () => {
    expect(amended({}, { names: ['invoice:in_1', 'charge:ch_1'] }).names).toEqual(['charge:ch_1', 'invoice:in_1']);
    expect(amended({ name_of_group: 'own' }, { name_of_group: 'other' }).name_of_group).toBe('own');
    expect(amended({}, { name_of_group: 'other' }).name_of_group).toBe('other');
  });

  it('stays excluded', () => {
    expect(amended({ excluded: true }, { excluded: false, tax_amount_cents: 100 }).excluded).toBe(true);
    expect(amended({}, { excluded: true }).excluded).toBe(true);
  });

  it('is decided by its new time, and remembers the time for which its commission was decided', () => {
    const times = (sale: Partial<Sale>, charged_at: string) => {
      const { charged_at: at, redated_from } = amended(sale, { charged_at });
      return [at, redated_from];
    };
    expect(times({}, AT.told)).toEqual([AT.told, AT.reported]);
    expect(times({ charged_at: AT.told, redated_from: AT.reported }, AT.later)).toEqual([AT.later, AT.reported]);
    expect(times({ charged_at: AT.told, redated_from: AT.reported }, AT.reported)).toEqual([AT.reported, null]);
    // A person had the sale decided again, by a later time.
    expect(times({ reconsidered_at: AT.reported }, AT.told)).toEqual([AT.told, null]);
    const { redated_from } = amended(
      { charged_at: AT.told, redated_from: AT.reported },
      { charged_at: AT.told, tax_amount_cents: 0 },
    );
    expect(redated_from).toBe(AT.reported);
  });

  it('has refunds up to its new charge', () => {
    expect(amended({ refund_amount_cents: 1_200 }, { charge_amount_cents: 1_000 }).refund_amount_cents).toBe(1_000);
    expect(amended({ refund_amount_cents: 500 }, { charge_amount_cents: 1_000 }).refund_amount_cents).toBe(500);
  });
});

describe('the refunds of a sale', () => {
  const cents = fc.nat(2_000);

  it('never exceed the charge, nor their tax and their net part those of the charge, and leave an amount that is not negative', () => {
    fc.assert(
      fc.property(cents, cents, cents, cents, cents, (charge, taxed, total, creditNote, creditNoteTax) => {
        const tax = Math.min(taxed, charge);
        const sale = {
          ...SALE,
          refund_amount_cents: total,
          credit_note_refund_cents: creditNote,
          credit_note_tax_cents: creditNoteTax,
        };
        const limited = amendedSale(sale, {
          ...FACTS,
          names: [],
          // The charge is told again at another time, so that the amounts are set.
          charged_at: AT.told,
          charge_amount_cents: charge,
          tax_amount_cents: tax,
        } as never);
        const { refund_amount_cents, credit_note_refund_cents: noted, credit_note_tax_cents: notedTax } = limited;
        expect(refund_amount_cents).toBe(Math.min(total, charge));
        expect(noted).toBe(Math.min(creditNote, total, charge));
        expect(notedTax).toBeLessThanOrEqual(tax);
        expect(notedTax).toBeLessThanOrEqual(noted);
        expect(notedTax).toBeGreaterThanOrEqual(0);
        expect(noted - notedTax).toBeLessThanOrEqual(charge - tax);
        // What the note states counts, unless it cannot be.
        const isPossible = creditNoteTax <= Math.min(noted, tax) && noted - creditNoteTax <= charge - tax;
        expect(notedTax === creditNoteTax).toBe(isPossible);
        expect(saleAmountCents(limited)).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it('are stored if all their amounts are', () => {
    const sale = { ...SALE, refund_amount_cents: 600, credit_note_refund_cents: 300, credit_note_tax_cents: 50 };
    const refunds = { total: 600, creditNote: 300, creditNoteTax: 50, uncounted: 0 };
    expect(isRefunded(sale, refunds)).toBe(true);
    expect(isRefunded({ ...sale, uncounted_refund_cents: 10 }, { ...refunds, uncounted: 10 })).toBe(true);
    for (const other of [{ total: 601 }, { creditNote: 299 }, { creditNoteTax: 51 }, { uncounted: 1 }])
      expect(isRefunded(sale, { ...refunds, ...other })).toBe(false);
    // More than the charge is stored as the charge.
    expect(isRefunded({ ...sale, refund_amount_cents: 1_200 }, { ...refunds, total: 5_000 })).toBe(true);
  });
});
