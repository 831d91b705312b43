import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { possibleDuplicates } from './duplicates.ts';

const START = Date.UTC(2026, 0, 1);

interface ComparedSale {
  by: 'merchant' | 'provider';
  minutes: number;
  amount?: number;
  tax?: number;
  currency?: string;
  livemode?: boolean | null;
}

function saleOf(
  { by, minutes, amount = 1_000, tax = 0, currency = 'USD', livemode = by === 'merchant' ? null : true }: ComparedSale,
  index = 0,
) {
  return {
    id: `sale_${index}`,
    external_id: by === 'merchant' ? `order-${index}` : null,
    names: by === 'provider' ? [`charge:ch_${index}`] : [],
    name_of_group: null,
    livemode,
    charge_amount_cents: amount,
    tax_amount_cents: tax,
    currency,
    charged_at: new Date(START + minutes * 60_000).toISOString(),
  };
}

const pairsOf = (provider: ComparedSale[]) =>
  possibleDuplicates(provider.map(saleOf)).map(({ merchant, provider: other }) => [merchant.id, other.id]);
const ours = { by: 'merchant', minutes: 0 } as const;

describe('a sale reported by the merchant and another sale', () => {
  it.each<[string, ComparedSale, boolean]>([
    ['15 minutes later', { by: 'provider', minutes: 15 }, true],
    ['15 minutes earlier', { by: 'provider', minutes: -15 }, true],
    ['16 minutes later', { by: 'provider', minutes: 16 }, false],
    ['of another amount', { by: 'provider', minutes: 1, amount: 1_001 }, false],
    ['in another currency', { by: 'provider', minutes: 1, currency: 'EUR' }, false],
    ['of the test mode', { by: 'provider', minutes: 1, livemode: false }, false],
    ['also reported by the merchant', { by: 'merchant', minutes: 1 }, false],
    ['whose tax the merchant left out', { by: 'provider', minutes: 1, amount: 1_190, tax: 190 }, true],
    ['whose tax the merchant added', { by: 'provider', minutes: 1, amount: 810, tax: 190 }, true],
    ['of an amount that differs by more than the tax', { by: 'provider', minutes: 1, amount: 1_191, tax: 190 }, false],
    ['of an amount that differs by less than the tax', { by: 'provider', minutes: 1, amount: 1_100, tax: 190 }, false],
    ['of the same amount with tax', { by: 'provider', minutes: 1, tax: 160 }, true],
    ['whose tax was left out, but 16 minutes later', { by: 'provider', minutes: 16, amount: 1_190, tax: 190 }, false],
    [
      'whose tax was left out, in another currency',
      { by: 'provider', minutes: 1, amount: 1_190, tax: 190, currency: 'EUR' },
      false,
    ],
    ['that consists of tax only', { by: 'provider', minutes: 1, amount: 1_000, tax: 1_000 }, true],
  ])('are a pair only if amount, currency, mode and time fit: %s', (_, other, isPair) => {
    expect(pairsOf([ours, other])).toEqual(isPair ? [['sale_0', 'sale_1']] : []);
  });

  it('are a pair if their ids may denote one payment, until the provider reports the payment', () => {
    const provider = saleOf({ by: 'provider', minutes: 1 }, 1);
    const merchant = { ...saleOf(ours), names: ['payment_intent:pi_1'] };
    expect(possibleDuplicates([merchant, provider])).toEqual([{ merchant, provider }]);
    expect(possibleDuplicates([merchant, { ...provider, names: [...provider.names, 'payment_intent:pi_2'] }])).toEqual([]);
    expect(possibleDuplicates([{ ...merchant, livemode: true }, provider])).toEqual([]);
  });

  it('are compared with the tax of the provider’s sale, not with the tax that the merchant reported', () => {
    const taxed = { ...ours, amount: 1_190, tax: 190 };
    expect(pairsOf([taxed, { by: 'provider', minutes: 1, amount: 1_000 }])).toEqual([]);
    expect(pairsOf([taxed, { by: 'provider', minutes: 1, amount: 1_190 }])).toEqual([['sale_0', 'sale_1']]);
  });

  it('are paired by the same amount first, even if another sale is closer in time', () => {
    const net = { by: 'provider', minutes: 1, amount: 1_190, tax: 190 } as const;
    const same = { by: 'provider', minutes: 9 } as const;
    expect(pairsOf([ours, net, same])).toEqual([['sale_0', 'sale_2']]);
    expect(pairsOf([ours, net, same, { ...ours, minutes: 2 }])).toEqual([
      ['sale_3', 'sale_2'],
      ['sale_0', 'sale_1'],
    ]);
  });

  it('are not a pair if their amounts are zero', () => {
    expect(
      pairsOf([
        { ...ours, amount: 0 },
        { by: 'provider', minutes: 1, amount: 0 },
      ]),
    ).toEqual([]);
  });

  it('are paired with the closest sale in time, each in only one pair', () => {
    const near = { by: 'provider', minutes: 2 } as const;
    const far = { by: 'provider', minutes: 9 } as const;
    expect(pairsOf([ours, far, near])).toEqual([['sale_0', 'sale_2']]);
    expect(pairsOf([ours, far, near, { by: 'merchant', minutes: 8 }])).toEqual([
      ['sale_3', 'sale_1'],
      ['sale_0', 'sale_2'],
    ]);
  });

  it('are paired in the same way in any order', () => {
    const sale = fc.record({
      by: fc.constantFrom('merchant' as const, 'provider' as const),
      minutes: fc.nat(40),
      amount: fc.constantFrom(1_000, 1_190, 2_000),
      tax: fc.constantFrom(0, 190, 810),
    });
    fc.assert(
      fc.property(
        fc
          .array(sale, { maxLength: 8 })
          .map((provider) => provider.map((each, index) => saleOf(each, index)))
          .chain((sales) => fc.tuple(fc.constant(sales), fc.shuffledSubarray(sales, { minLength: sales.length }))),
        ([sales, shuffled]) => {
          const ids = (some: typeof sales) =>
            possibleDuplicates(some).map(({ merchant, provider }) => `${merchant.id} ${provider.id}`);
          expect(ids(shuffled)).toEqual(ids(sales));
        },
      ),
    );
  });
});
