import { describe, expect, it } from 'vitest';
import type { PayoutItem } from '../../port/method.ts';
import { addressKindAtWise, receiverProblems, recipientOf, WISE_ACCOUNTS } from './receivers.ts';

const PERSON = { account_holder: 'Ada King', holder_type: 'person' };
const ADDRESSES = {
  wise: { email: 'ada@pay.example' },
  wise_iban: { ...PERSON, iban: 'DE89370400440532013000' },
  wise_sort_code: { ...PERSON, sort_code: '040075', account_number: '37778842' },
  wise_aba: {
    account_holder: 'Ada King Inc',
    holder_type: 'company',
    routing_number: '021000021',
    account_number: '123456789',
    account_type: 'savings',
    street: '1 Main Street',
    town: 'New York',
    postcode: '10001',
    state: 'NY',
    country: 'US',
  },
};

const payout = (more: Partial<PayoutItem> = {}): PayoutItem => ({
  payout_id: 'payout_1',
  affiliate_id: 'aff_1',
  email: 'ada@example.com',
  first_name: 'Ada',
  last_name: 'King',
  addresses: ADDRESSES,
  amount_cents: 1_000,
  currency: 'EUR',
  commissions_count: 1,
  payout_created_at: '2026-11-27T12:00:00.000Z',
  ...more,
});

describe('a payment by Wise', () => {
  it('goes to the account in its currency', () => {
    expect(recipientOf(payout(), 7)).toEqual({
      profile: 7,
      currency: 'EUR',
      type: 'iban',
      accountHolderName: 'Ada King',
      details: { legalType: 'PRIVATE', IBAN: 'DE89370400440532013000' },
    });
    expect(recipientOf(payout({ currency: 'GBP' }), 7)).toMatchObject({
      type: 'sort_code',
      details: { sortCode: '040075', accountNumber: '37778842' },
    });
    expect(recipientOf(payout({ currency: 'USD' }), 7)).toMatchObject({
      type: 'aba',
      accountHolderName: 'Ada King Inc',
      details: {
        legalType: 'BUSINESS',
        abartn: '021000021',
        accountNumber: '123456789',
        accountType: 'SAVINGS',
        address: { country: 'US', city: 'New York', postCode: '10001', firstLine: '1 Main Street', state: 'NY' },
      },
    });
  });

  it('leaves out what an account does not have', () => {
    const { state: _, ...abroad } = { ...ADDRESSES.wise_aba, account_type: 'checking' };
    const { details } = recipientOf(payout({ currency: 'USD', addresses: { wise_aba: abroad } }), 7);
    expect(details).toMatchObject({ accountType: 'CHECKING' });
    expect((details as { address: object }).address).not.toHaveProperty('state');
    const withBic = { wise_iban: { ...ADDRESSES.wise_iban, bic: 'COBADEFFXXX' } };
    expect(recipientOf(payout({ addresses: withBic }), 7)['details']).toMatchObject({ BIC: 'COBADEFFXXX' });
  });

  it('goes to the email address without such an account', () => {
    const byEmail = { type: 'email', accountHolderName: 'Ada King', details: { email: 'ada@pay.example' } };
    expect(recipientOf(payout({ currency: 'JPY' }), 7)).toEqual({ profile: 7, currency: 'JPY', ...byEmail });
    const { wise, wise_aba } = ADDRESSES;
    expect(recipientOf(payout({ addresses: { wise, wise_aba } }), 7)).toMatchObject(byEmail);
    expect(addressKindAtWise(payout({ addresses: { wise, wise_aba } }))).toBe('wise');
    expect(addressKindAtWise(payout())).toBe('wise_iban');
  });
});

describe('a payout that Wise cannot pay', () => {
  const problems = (more: Partial<PayoutItem>) => receiverProblems([payout(more)]).map(({ code }) => code);
  const { wise } = ADDRESSES;

  it('has neither an account nor an email address', () => {
    expect(problems({ addresses: {} })).toEqual(['missing_address']);
    expect(problems({ addresses: { wise: { email: '=ada@pay.example' } } })).toEqual(['unsafe_address']);
  });

  it('has no first and last name beside an email address', () => {
    const addresses = { wise };
    expect(problems({ addresses })).toEqual([]);
    for (const name of [
      { first_name: null },
      { last_name: null },
      { first_name: ' ' },
      { last_name: '' },
      { first_name: '李雷' },
      { last_name: 'K1ng!' },
    ])
      expect(problems({ addresses, ...name })).toEqual(['unsupported_address']);
    expect(problems({ addresses, first_name: "Zoë-Anne O'Neill", last_name: 'Ström (Jr.)' })).toEqual([]);
  });

  it('needs no names beside an account in its currency', () => {
    expect(problems({ first_name: null, last_name: null })).toEqual([]);
    expect(problems({ first_name: null, last_name: null, currency: 'JPY' })).toEqual(['unsupported_address']);
  });
});

it('the forms of accounts are addresses of Wise, in one currency each', () => {
  expect(WISE_ACCOUNTS.map((form) => [form.kind, form.paidBy, ...form.currencies!, form.problems([payout()])])).toEqual([
    ['wise_iban', 'wise', 'EUR', []],
    ['wise_sort_code', 'wise', 'GBP', []],
    ['wise_aba', 'wise', 'USD', []],
  ]);
});
