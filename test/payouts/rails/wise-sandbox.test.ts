/**
 * The same payments against Wise's sandbox, with a token from the environment (docs/wise-payouts.md). Skipped without it. The states of transfers are
 * those that Wise simulates.
 */
import { createPayoutMethods } from '@affiliate/core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Outgoing, SendingMethod } from '../../../packages/core/src/payouts/port/method.ts';
import type { RailAccess } from '../../../packages/core/src/payouts/port/rail.ts';
import { newId } from '../../../packages/core/src/platform/wire/ids.ts';

const { WISE_SANDBOX_TOKEN: api_token } = process.env;
if (api_token === undefined) process.stderr.write('SKIPPED: the sandbox of Wise. Set WISE_SANDBOX_TOKEN to run it.\n');

const MINUTES = 60_000;

describe.skipIf(api_token === undefined)('Wise’s sandbox', () => {
  const method = createPayoutMethods({ timeoutMs: 30_000 }).find(
    (each) => each.kind === 'wise' && 'send' in each,
  ) as SendingMethod;
  let access: RailAccess;

  beforeAll(async () => {
    const credentials = { api_token: api_token!, source_currency: 'GBP' };
    const { accountId } = await method.accounts!.connect(credentials);
    access = { mode: 'test', credentials, accountId, endpointId: null, endpointSecret: null };
  });

  const payment = (changes: Partial<Outgoing> = {}): Outgoing => ({
    email: 'ada@example.com',
    first_name: 'Ada',
    last_name: 'King',
    addresses: {
      wise_sort_code: { account_holder: 'Ada King', holder_type: 'person', sort_code: '040075', account_number: '37778842' },
    },
    payout_created_at: new Date().toISOString(),
    first_posted_at: new Date().toISOString(),
    payout_id: newId('payout', new Date()),
    affiliate_id: 'aff_1',
    amount_cents: 100,
    currency: 'GBP',
    commissions_count: 1,
    key: newId('payout_attempt', new Date()),
    key_generation: 1,
    isRepeat: false,
    livemode: false,
    provider_batch_id: null,
    provider_item_id: null,
    ...changes,
  });
  const send = async (of: Outgoing) => ({ ...of, ...((await method.send(of, access)).facts as Partial<Outgoing>) });
  const simulate = async ({ provider_item_id }: Outgoing, status: string) => {
    const url = `https://api.wise-sandbox.com/v1/simulation/transfers/${provider_item_id!}/${status}`;
    expect((await fetch(url, { headers: { Authorization: `Bearer ${api_token!}` } })).status).toBe(200);
    await new Promise((resolve) => {
      setTimeout(resolve, 6_000);
    });
  };

  it('tells the balances and the fee', async () => {
    expect(await method.balances!(access)).toEqual(expect.arrayContaining([expect.objectContaining({ currency: 'GBP' })]));
    const [quote] = await method.quote!([payment()], access);
    expect(quote).toMatchObject({ fee: { currency: 'GBP' }, debited: { currency: 'GBP' } });
  });

  it('pays, and tells what comes back', { timeout: 5 * MINUTES }, async () => {
    const of = await send(payment());
    expect((await method.look(of, access)).amount).toEqual({ amount_cents: 100, currency: 'GBP' });
    for (const status of ['processing', 'funds_converted', 'outgoing_payment_sent']) await simulate(of, status);
    expect(await method.look(of, access)).toMatchObject({ state: 'arrived', raw_state: 'outgoing_payment_sent' });
    for (const status of ['bounced_back', 'funds_refunded']) await simulate(of, status);
    expect(await method.look(of, access)).toMatchObject({ state: 'returned', raw_state: 'funds_refunded' });
  });

  it('makes the transfer of a key once, and finds it', { timeout: 2 * MINUTES }, async () => {
    const of = payment();
    const first = await send(of);
    const second = await send({ ...of, isRepeat: true });
    expect(second.provider_item_id).toBe(first.provider_item_id);
    expect(await method.find!(of, access)).toMatchObject({ facts: { provider_item_id: first.provider_item_id } });
    expect(await method.find!(payment(), access)).toBeNull();
  });

  it('refuses an account that no bank has for certain', async () => {
    const address = { account_holder: 'Ada King', holder_type: 'person', sort_code: '231479', account_number: '00000000' };
    const refused = await method
      .send(payment({ addresses: { wise_sort_code: address } }), access)
      .catch((error: unknown) => error);
    expect(refused).toMatchObject({ outcomeUnknown: false });
  });
});
