/**
 * The same payments against PayPal's sandbox, with keys from the environment (docs/paypal-payouts.md). Skipped without them. The states of payments take
 * PayPal up to some minutes.
 */
import { createPayoutMethods } from '@affiliate/core';
import { describe, expect, it } from 'vitest';
import type { Outgoing, SendingMethod } from '../../../packages/core/src/payouts/port/method.ts';
import { type RailAccess, RailError, type Word } from '../../../packages/core/src/payouts/port/rail.ts';

const {
  PAYPAL_SANDBOX_CLIENT_ID: client_id,
  PAYPAL_SANDBOX_CLIENT_SECRET: client_secret,
  PAYPAL_SANDBOX_RECEIVER: receiver,
} = process.env;
const hasKeys = client_id !== undefined && client_secret !== undefined && receiver !== undefined;
if (!hasKeys)
  process.stderr.write(
    'SKIPPED: the sandbox of PayPal. Set PAYPAL_SANDBOX_CLIENT_ID, PAYPAL_SANDBOX_CLIENT_SECRET and PAYPAL_SANDBOX_RECEIVER to run it.\n',
  );

const MINUTES = 60_000;

describe.skipIf(!hasKeys)('PayPal’s sandbox', () => {
  const method = createPayoutMethods({ timeoutMs: 30_000 }).find(
    (each) => each.kind === 'paypal' && 'send' in each,
  ) as SendingMethod;
  const access: RailAccess = {
    mode: 'test',
    credentials: { client_id: client_id!, client_secret: client_secret! },
    accountId: client_id!,
    endpointId: null,
    endpointSecret: null,
  };

  const payment = (email: string, changes: Partial<Outgoing> = {}): Outgoing => ({
    email,
    first_name: 'Ada',
    last_name: 'King',
    addresses: { paypal: { email } },
    payout_created_at: '2026-11-29T00:00:00.000Z',
    first_posted_at: '2026-11-29T00:00:00.000Z',
    payout_id: `payout_${crypto.randomUUID()}`,
    affiliate_id: 'aff_1',
    amount_cents: 100,
    currency: 'USD',
    commissions_count: 1,
    key: `patt_${crypto.randomUUID()}`,
    key_generation: 1,
    isRepeat: false,
    livemode: false,
    provider_batch_id: null,
    provider_item_id: null,
    ...changes,
  });

  /** Reads a payment until it has one of the states. */
  const until = async (sent: Outgoing, states: readonly Word['state'][]): Promise<[Outgoing, Word]> => {
    const end = performance.now() + 5 * MINUTES;
    for (let of = sent; performance.now() < end;) {
      const word = await method.look(of, access);
      of = { ...of, ...(word.facts as Partial<Outgoing>) };
      if (states.includes(word.state)) return [of, word];
      await new Promise((resolve) => {
        setTimeout(resolve, 5_000);
      });
    }
    throw new Error(`No payment is ${states.join(' or ')} after five minutes.`);
  };
  const send = async (of: Outgoing) => ({ ...of, ...((await method.send(of, access)).facts as Partial<Outgoing>) });

  it('accepts the keys', async () => {
    expect(await method.accounts!.connect(access.credentials)).toEqual({ mode: 'test', accountId: client_id });
  });

  it('pays, and tells the fee', { timeout: 6 * MINUTES }, async () => {
    const [, word] = await until(await send(payment(receiver!)), ['arrived']);
    expect(word).toMatchObject({ raw_state: 'SUCCESS', amount: { amount_cents: 100, currency: 'USD' } });
    expect(word.facts?.fee_cents).toBeGreaterThanOrEqual(0);
  });

  it('pays the same key once', { timeout: 6 * MINUTES }, async () => {
    const of = payment(receiver!);
    const first = await send(of);
    const second = await send({ ...of, isRepeat: true });
    expect(second.provider_batch_id).toBe(first.provider_batch_id);
  });

  it('keeps a payment to an unknown address, and gives it back', { timeout: 6 * MINUTES }, async () => {
    const [of] = await until(await send(payment(`nobody-${crypto.randomUUID()}@example.com`)), ['unclaimed']);
    expect(await method.cancel!(of, access)).toMatchObject({ state: 'returned', raw_state: 'RETURNED' });
  });

  it('refuses an invalid payment for certain', async () => {
    const refused = await method.send(payment(receiver!, { currency: 'XXX' }), access).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(RailError);
    expect((refused as RailError).outcomeUnknown).toBe(false);
  });
});
