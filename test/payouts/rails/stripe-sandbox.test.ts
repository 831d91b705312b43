/** The same payments against Stripe's test mode, with a key from the environment (docs/stripe-payouts.md). Skipped without it. */
import { createPayoutMethods } from '@affiliate/core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Outgoing, SendingMethod } from '../../../packages/core/src/payouts/port/method.ts';
import type { RailAccess } from '../../../packages/core/src/payouts/port/rail.ts';
import { newId } from '../../../packages/core/src/platform/wire/ids.ts';

const { STRIPE_SANDBOX_KEY: secret_key, STRIPE_SANDBOX_ACCOUNT: account_id } = process.env;
const hasKeys = secret_key !== undefined && account_id !== undefined;
if (!hasKeys)
  process.stderr.write('SKIPPED: the test mode of Stripe. Set STRIPE_SANDBOX_KEY and STRIPE_SANDBOX_ACCOUNT to run it.\n');

describe.skipIf(!hasKeys)('Stripe’s test mode', () => {
  const method = createPayoutMethods({ timeoutMs: 30_000 }).find(
    (each) => each.kind === 'stripe' && 'send' in each,
  ) as SendingMethod;
  let access: RailAccess;

  beforeAll(async () => {
    const credentials = { secret_key: secret_key! };
    const { mode, accountId } = await method.accounts!.connect(credentials);
    if (mode !== 'test') throw new Error('This is a key of live mode.');
    access = { mode: 'test', credentials, accountId, endpointId: null, endpointSecret: null };
  });

  const payment = (changes: Partial<Outgoing> = {}): Outgoing => ({
    email: 'ada@example.com',
    first_name: 'Ada',
    last_name: 'King',
    addresses: { stripe: { account_id: account_id! } },
    payout_created_at: new Date().toISOString(),
    first_posted_at: new Date().toISOString(),
    payout_id: newId('payout', new Date()),
    affiliate_id: 'aff_1',
    amount_cents: 100,
    currency: 'USD',
    commissions_count: 1,
    key: newId('payout_attempt', new Date()),
    key_generation: 1,
    isRepeat: false,
    livemode: false,
    provider_batch_id: null,
    provider_item_id: null,
    ...changes,
  });

  it('tells the balance', async () => {
    expect((await method.balances!(access)).length).toBeGreaterThan(0);
  });

  it('pays a key once, finds the payment, and takes it back', async () => {
    const of = payment();
    const first = await method.send(of, access);
    expect(first).toMatchObject({ state: 'arrived', amount: { amount_cents: 100, currency: 'USD' } });
    const { provider_item_id = null } = first.facts!;
    expect((await method.send({ ...of, isRepeat: true }, access)).facts?.provider_item_id).toBe(provider_item_id);
    expect((await method.find!(of, access))?.facts?.provider_item_id).toBe(provider_item_id);
    expect(await method.find!(payment(), access)).toBeNull();
    expect(await method.cancel!({ ...of, provider_item_id }, access)).toMatchObject({
      state: 'returned',
      facts: { returned_cents: 100 },
    });
  });

  it('refuses an account that does not exist for certain', async () => {
    const of = payment({ addresses: { stripe: { account_id: 'acct_1000000000000000' } } });
    const refused = await method.send(of, access).catch((error: unknown) => error);
    expect(refused).toMatchObject({ outcomeUnknown: false });
  });
});
