import { describe, expect, it } from 'vitest';
import { RailError } from '../../port/rail.ts';
import { paidBy, Quote, tellTransfer, Transfer } from './tell.ts';

const transfer = (more: object = {}): Transfer =>
  Transfer.parse({
    id: 7,
    status: 'processing',
    sourceCurrency: 'EUR',
    targetCurrency: 'EUR',
    targetValue: 12.34,
    ...more,
  });

describe('a transfer of Wise', () => {
  it('tells its amount and its id', () => {
    expect(tellTransfer(transfer(), null)).toEqual({
      state: 'in_transit',
      raw_state: 'processing',
      amount: { amount_cents: 1_234, currency: 'EUR' },
      facts: { provider_item_id: '7' },
    });
    expect(tellTransfer(transfer({ targetCurrency: 'JPY', targetValue: 1_500 }), null).amount).toEqual({
      amount_cents: 1_500,
      currency: 'JPY',
    });
  });

  it('tells the fee and what was debited, once it is paid in', () => {
    const paid = { fee: { cents: 50, currency: 'GBP' }, debited: { cents: 1_050, currency: 'EUR' } };
    expect(tellTransfer(transfer(), paid).facts).toEqual({
      provider_item_id: '7',
      fee_cents: 50,
      fee_currency: 'GBP',
      debited_cents: 1_050,
      debited_currency: 'EUR',
    });
  });

  it('tells its exchange, if there was one', () => {
    const exchange = { credited_cents: 1_234, credited_currency: 'USD', exchange_rate: '1.1' };
    const abroad = { targetCurrency: 'USD', rate: 1.1 };
    expect(tellTransfer(transfer(abroad), null).facts).toMatchObject(exchange);
    expect(tellTransfer(transfer({ rate: 1 }), null).facts).not.toHaveProperty('exchange_rate');
    expect(tellTransfer(transfer({ ...abroad, rate: null }), null).facts).not.toHaveProperty('credited_cents');
  });

  it.each(['unknown', 'new'])('that is %s may have been made', (status) => {
    const error = (() => {
      try {
        return tellTransfer(transfer({ status }), null);
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(error).toBeInstanceOf(RailError);
    expect(error).toMatchObject({ outcomeUnknown: true, word: status });
  });
});

describe('a quote of Wise', () => {
  const option = (payIn: string, total: number, more: object = {}) => ({
    payIn,
    sourceAmount: 100 + total,
    sourceCurrency: 'EUR',
    fee: { total },
    ...more,
  });
  const quote = (...paymentOptions: object[]) => Quote.parse({ id: 'q', paymentOptions });

  it('tells the fee and the sum of a way of paying in', () => {
    expect(paidBy(quote(option('CARD', 3), option('BALANCE', 0.5)), 'BALANCE')).toEqual({
      fee: { cents: 50, currency: 'EUR' },
      debited: { cents: 10_050, currency: 'EUR' },
    });
  });

  it('tells nothing of a way that it has not, or that is disabled', () => {
    expect(paidBy(quote(option('CARD', 3)), 'BALANCE')).toBeNull();
    expect(paidBy(quote(option('BALANCE', 0.5, { disabled: true })), 'BALANCE')).toBeNull();
    expect(paidBy(quote(option('BALANCE', 1, { disabled: true }), option('BALANCE', 2)), 'BALANCE')?.fee.cents).toBe(200);
  });
});
