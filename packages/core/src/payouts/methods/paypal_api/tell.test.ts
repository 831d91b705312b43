import { describe, expect, it } from 'vitest';
import { RailError } from '../../port/rail.ts';
import { Batch, Item, tellBatch, tellItem } from './tell.ts';

const usd = (value: string) => ({ currency: 'USD', value });

function item(more: object = {}, payment: object = {}): Item {
  return Item.parse({
    payout_item_id: 'ITEM',
    payout_batch_id: 'BATCH',
    payout_item: { amount: usd('10.00'), sender_item_id: 'patt_1', ...payment },
    ...more,
  });
}

function batch(batch_status: string, items: Item[] = [], header: object = {}): Batch {
  const batch_header = {
    payout_batch_id: 'BATCH',
    batch_status,
    sender_batch_header: { sender_batch_id: 'patt_1' },
    ...header,
  };
  return Batch.parse({ batch_header, items });
}

/** The error of a call, which must never be a reason to pay again. */
function errorOf(tell: () => unknown): RailError {
  const thrown = (() => {
    try {
      return tell();
    } catch (error) {
      return error;
    }
  })();
  expect(thrown).toBeInstanceOf(RailError);
  expect(thrown).toMatchObject({ outcomeUnknown: true });
  return thrown as RailError;
}

describe('a payment at PayPal', () => {
  it('of which PayPal says nothing yet is on its way', () => {
    expect(tellItem(item())).toEqual({
      state: 'in_transit',
      raw_state: 'PENDING',
      amount: { amount_cents: 1_000, currency: 'USD' },
      facts: { provider_batch_id: 'BATCH', provider_item_id: 'ITEM', receiver_name: null, expires_at: null },
    });
  });

  it('in an unknown state may have been made', () => {
    expect(errorOf(() => tellItem(item({ transaction_status: 'NEW' }))).word).toBe('NEW');
  });

  it('tells its fee, its exchange and what came back', () => {
    const told = tellItem(
      item({
        transaction_status: 'RETURNED',
        payout_item_fee: usd('0.25'),
        currency_conversion: { from_amount: usd('10.25'), to_amount: { currency: 'JPY', value: '1500' }, exchange_rate: '150' },
      }),
    );
    expect(told.facts).toMatchObject({
      fee_cents: 25,
      fee_currency: 'USD',
      debited_cents: 1_025,
      debited_currency: 'USD',
      credited_cents: 1_500,
      credited_currency: 'JPY',
      exchange_rate: '150',
      returned_cents: 1_000,
    });
    expect(tellItem(item({ transaction_status: 'SUCCESS' })).facts).not.toHaveProperty('returned_cents');
  });

  it.each([
    ['10.00', 'USD', 1_000],
    ['10.5', 'USD', 1_050],
    ['10.500000', 'USD', 1_050],
    ['100', 'USD', 10_000],
    // PayPal writes decimals that a currency does not have.
    ['1500.00', 'JPY', 1_500],
    ['1500', 'JPY', 1_500],
    ['10.005', 'USD', null],
    ['ten', 'USD', null],
  ])('of %s %s has that amount', (value, currency, cents) => {
    const { amount, facts } = tellItem(item({ transaction_status: 'RETURNED' }, { amount: { value, currency } }));
    expect(amount).toEqual({ amount_cents: cents ?? Number.NaN, currency });
    expect(facts!.returned_cents).toBe(cents ?? undefined);
  });

  it('leaves out amounts that cannot be read', () => {
    const unread = { currency: 'USD', value: '0.001' };
    const conversion = { currency_conversion: { from_amount: unread, to_amount: unread } };
    expect(Object.keys(tellItem(item({ payout_item_fee: unread, ...conversion })).facts!).toSorted()).toEqual([
      'expires_at',
      'provider_batch_id',
      'provider_item_id',
      'receiver_name',
    ]);
  });

  it.each([
    [{ full_name: 'Ada King', alternate_full_name: 'A', given_name: 'B' }, 'Ada King'],
    [{ alternate_full_name: 'Ada K', given_name: 'B' }, 'Ada K'],
    [{ given_name: 'Ada', surname: 'King' }, 'Ada King'],
    [{ given_name: '', surname: 'King' }, 'King'],
    [{ given_name: 'Ada' }, 'Ada'],
    [{}, null],
    [null, null],
  ])('to %j has the receiver %j', (recipient_name, name) => {
    expect(tellItem(item({}, { recipient_name })).facts!.receiver_name).toBe(name);
  });

  it('that nobody has claimed ends after 30 days', () => {
    const expiresAt = (transaction_status: string, time_processed?: string) =>
      tellItem(item({ transaction_status, time_processed })).facts!.expires_at;
    expect(expiresAt('UNCLAIMED', '2026-11-01T10:00:00Z')).toBe('2026-12-01T10:00:00.000Z');
    expect(expiresAt('UNCLAIMED', 'soon')).toBeNull();
    expect(expiresAt('UNCLAIMED')).toBeNull();
    expect(expiresAt('SUCCESS', '2026-11-01T10:00:00Z')).toBeNull();
  });

  it.each([
    [{ name: 'RECEIVER_UNREGISTERED', message: 'ada@pay.example has no account.' }, 'RECEIVER_UNREGISTERED: … has no account.'],
    [{ name: 'RECEIVER_UNREGISTERED', message: '' }, 'RECEIVER_UNREGISTERED'],
    [{ message: 'No.' }, 'No.'],
    [{}, undefined],
    [null, undefined],
  ])('with the error %j says why it failed, without addresses', (errors, reason) => {
    expect(tellItem(item({ transaction_status: 'FAILED', errors })).reason).toBe(reason);
  });
});

describe('a batch of PayPal', () => {
  it('that was denied stops the rail, because its account is the cause', () => {
    expect(tellBatch(batch('DENIED'), 'patt_1')).toMatchObject({ raw_state: 'DENIED', stopsRail: true });
    expect(tellBatch(batch('CANCELED'), 'patt_1')).toMatchObject({ raw_state: 'CANCELED', stopsRail: false });
  });

  it('tells the payment with the key', () => {
    const others = [
      item({ transaction_status: 'FAILED' }, { sender_item_id: 'patt_2' }),
      item({ transaction_status: 'SUCCESS' }),
    ];
    expect(tellBatch(batch('SUCCESS', others), 'patt_1')).toMatchObject({ state: 'arrived' });
    expect(tellBatch(batch('SUCCESS', [others[0]!]), 'patt_1')).toMatchObject({ state: 'sent' });
  });

  it('that was denied has payments that failed, unless they say otherwise', () => {
    expect(tellBatch(batch('DENIED', [item()]), 'patt_1')).toMatchObject({ state: 'failed', raw_state: 'DENIED' });
    expect(tellBatch(batch('DENIED', [item({ transaction_status: 'SUCCESS' })]), 'patt_1')).toMatchObject({ state: 'arrived' });
    expect(tellBatch(batch('PROCESSING', [item()]), 'patt_1')).toMatchObject({ state: 'in_transit' });
  });

  it('says why it failed', () => {
    const errors = { name: 'INSUFFICIENT_FUNDS', message: 'No money.' };
    expect(tellBatch(batch('DENIED', [], { errors }), 'patt_1').reason).toBe('INSUFFICIENT_FUNDS: No money.');
  });

  it('of another key, or in an unknown state, says nothing about the payment', () => {
    errorOf(() => tellBatch(batch('SUCCESS'), 'patt_2'));
    errorOf(() => tellBatch(batch('SUCCESS', [], { sender_batch_header: {} }), 'patt_1'));
    expect(errorOf(() => tellBatch(batch('NEW'), 'patt_1')).word).toBe('NEW');
  });
});
