/**
 * Many payments of one batch, at the limit of calls of their rail: how long their preparation takes, and whether memory stays flat.
 *
 * PAYMENTS=10000 sends that many, and prints the figures.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { advancePayoutAttempts } from '@affiliate/core';
import { expect, it } from 'vitest';
import { METHODS } from '../../../packages/core/src/payouts/methods/methods.ts';
import { answered } from '../../support/rest.ts';
import { useAccount, useService } from '../../support/suite.ts';
import { plantPayouts } from '../many-payouts.ts';
import { ToyRail } from '../toy_method/toy-method.ts';

const PAYMENTS = Number(process.env['PAYMENTS'] ?? 150);
const PER_MINUTE = 600;
const MB = 1_048_576;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const service = useService({ writesRows: true });
const account = useAccount(service);

it(
  'are prepared within 10 s and sent once each within the limit of calls, with flat memory',
  { timeout: 7_200_000 },
  async () => {
    const { connected } = new ToyRail();
    const withoutQuotes = Object.entries(connected).filter(([name]) => name !== 'quote' && name !== 'balances');
    let sent = 0;
    const method = {
      ...(Object.fromEntries(withoutQuotes) as unknown as typeof connected),
      problems: () => [],
      limits: { ...connected.limits, items: 10_000, perMinute: PER_MINUTE },
      send: ({ key, amount_cents, currency }: { key: string; amount_cents: number; currency: string }) => {
        sent += 1;
        const facts = { provider_item_id: `toy_${key}` };
        return Promise.resolve({ state: 'arrived' as const, raw_state: 'DONE', amount: { amount_cents, currency }, facts });
      },
    };
    service.services.payoutMethods = [...METHODS.filter((each) => !('send' in each)), method];
    const credentials = { client_id: 'live', client_secret: 'secret' };
    answered(201, await account.api.send('POST', '/api/settings/v1/payout_rails', { body: { kind: 'paypal', credentials } }));
    await plantPayouts(service, account, { affiliates: PAYMENTS });

    const started = performance.now();
    const { id, payouts_count } = answered(201, await account.api.post('/payout_batches', { method: 'paypal' }));
    const preparedMs = performance.now() - started;
    expect(payouts_count).toBe(PAYMENTS);
    expect(preparedMs).toBeLessThan(10_000);
    answered(200, await account.api.post(`/payout_batches/${String(id)}/send`));

    const heaps: number[] = [];
    const sending = performance.now();
    const minutes = Math.ceil(PAYMENTS / PER_MINUTE);
    for (let minute = 0; minute < minutes; minute += 1) {
      const before = sent;
      await advancePayoutAttempts(service.services);
      // The first minute has the places of two.
      expect(sent - before).toBeLessThanOrEqual(2 * PER_MINUTE);
      collect();
      heaps.push(process.memoryUsage().heapUsed / MB);
      service.clock.advance(1, 'minutes');
    }
    const seconds = (performance.now() - sending) / 1_000;
    expect(sent).toBe(PAYMENTS);
    const { state, totals } = answered(200, await account.api.get(`/payout_batches/${String(id)}`));
    expect({ state, totals }).toMatchObject({ state: 'paid', totals: [{ arrived_cents: PAYMENTS * 1_000 }] });
    expect(heaps.at(-1)! - heaps[0]!).toBeLessThan(32);
    if (PAYMENTS < 10_000) return;
    const figures = {
      preparedMs,
      seconds,
      perSecond: PAYMENTS / seconds,
      minutes,
      heaps: [heaps[0], heaps.at(-1)],
    };
    process.stdout.write(`${JSON.stringify(figures)}\n`);
  },
);
