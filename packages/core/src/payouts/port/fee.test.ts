import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { afterFee, feeOf, quotedFee, termsProblem } from './fee.ts';
import type { PayoutItem, Quote } from './method.ts';

describe('the fee of an affiliate', () => {
  const currencies = fc.constantFrom('USD', 'EUR', 'JPY');
  const amounts = fc.array(fc.record({ currency: currencies, amount_cents: fc.nat(5_000) }), { maxLength: 2 });
  const cents = fc.integer({ min: -100, max: 5_000 });
  const quotes = fc.record({ fee: cents, exchanged: fc.integer({ min: -5, max: 9_000_000 }), from: currencies, of: currencies });

  it('and what is sent are the payout to the cent, and nothing is sent that is not above zero', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9_000_000 }),
        currencies,
        fc.option(
          fc.record({ fee_bearer: fc.constantFrom('merchant' as const, 'affiliate' as const), fees: amounts, minimums: amounts }),
        ),
        fc.option(fc.option(quotes), { nil: undefined }),
        (amount_cents, currency, chosen, told) => {
          const item = {
            payout_id: 'payout_1',
            amount_cents,
            currency,
            email: 'ada@pay.example',
            first_name: null,
            last_name: null,
          } as PayoutItem;
          const given = chosen === null ? undefined : { method: 'toy', paused: false, ...chosen };
          const quote: Quote | null | undefined = told && {
            fee: { cents: told.fee, currency: told.from },
            debited: { cents: told.exchanged + told.fee, currency: told.of },
          };
          const fee = feeOf(item, given, quote);
          const isBorne = given?.fee_bearer === 'affiliate';
          const fixed = isBorne ? given.fees.find((each) => each.currency === currency)?.amount_cents : 0;
          expect(fee === null).toBe(fixed === undefined && quote === undefined);
          const known = fee ?? 0;
          expect(known).toBe(Math.max(fixed ?? known, 0));
          // An exchanged fee is at most the part of the amount that the quote takes of what it exchanges.
          const exchanged = fixed === undefined && told && told.from !== currency ? told.exchanged : 0;
          expect(BigInt(known) * BigInt(exchanged) <= BigInt(Math.max(told?.fee ?? 0, 0)) * BigInt(amount_cents)).toBe(true);
          const { amount_cents: sent } = afterFee(item, fee);
          expect(sent + known).toBe(amount_cents);
          expect(sent > 0 || termsProblem(item, given, fee) !== undefined).toBe(true);
        },
      ),
    );
  });
});

it.each<[string, number, [number, string], [number, string]]>([
  ['in the currency of the payout is the fee', 50, [50, 'USD'], [1_050, 'EUR']],
  ['is exchanged at the rate of the quote', 60, [50, 'EUR'], [1_050, 'EUR']],
  ['is rounded down when it is exchanged', 60, [50, 'EUR'], [1_049, 'EUR']],
  ['in a third currency has no rate', 0, [50, 'GBP'], [1_050, 'EUR']],
  ['that leaves nothing to exchange has no rate', 0, [50, 'EUR'], [50, 'EUR']],
  ['of nothing is none', 0, [0, 'USD'], [1_000, 'USD']],
  ['below zero is none', 0, [-50, 'USD'], [1_000, 'USD']],
])('a quoted fee %s', (_, fee, [cents, of], [debited, from]) => {
  const quote = { fee: { cents, currency: of }, debited: { cents: debited, currency: from } };
  expect(quotedFee({ amount_cents: 1_200, currency: 'USD' }, quote)).toBe(fee);
});
