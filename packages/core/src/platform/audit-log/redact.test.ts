import { expect, it } from 'vitest';
import { redact } from './redact.ts';

it('a copied input has no address of a payout method, and keeps what names the method', () => {
  const input = { affiliate_id: 'aff_1', kind: 'paypal', address: { email: 'ada@bank.example', iban: 'DE02120300000000202051' } };
  expect(redact({ input })).toEqual({ input: { affiliate_id: 'aff_1', kind: 'paypal', address: '[redacted]' } });
  expect(redact({ items: [{ email: 'ada@example.com', walleta_email: 'ada@bank.example', walletb_email: null }] })).toEqual({
    items: [{ email: 'ada@example.com', walleta_email: '[redacted]', walletb_email: '[redacted]' }],
  });
});
