import { backfillPspEvents, findLostEvents } from '@affiliate/core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { charge, wireEvent, type WireEvent } from '../support/psp-server/index.ts';
import { useEventShop } from './event-shop.ts';

const shop = useEventShop();

afterEach(() => shop.service.psp.faults.liftAll());
beforeEach(async () => {
  // Connections of other tests of this file have been searched before.
  await findLostEvents(shop.service.services);
});

/** Adds an event that the provider created but did not deliver. */
function lose(): WireEvent {
  const created = Math.floor(shop.service.clock.now().getTime() / 1_000);
  const event = wireEvent('charge.succeeded', charge(), { created });
  shop.merchant.psp.records.events.push({ event, delivered: false });
  return event;
}

const look = () => findLostEvents(shop.service.services);

describe('an event that was never delivered', () => {
  test('is found within the hour', async () => {
    lose();
    expect(await look()).toBe(0);
    shop.service.clock.advance(50, 'minutes');
    expect(await look()).toBe(1);
    expect(await shop.count('sale')).toBe(1);
    shop.service.clock.advance(50, 'minutes');
    expect(await look()).toBe(0);
  });

  test('is found at the next look if the provider did not answer', async () => {
    lose();
    shop.service.clock.advance(50, 'minutes');
    const fault = shop.service.psp.faults.plant({ method: 'GET', path: /^\/v1\/events$/, kind: 500, effect: 'none' });
    expect(await look()).toBe(0);
    expect(await shop.count('sale')).toBe(0);
    fault.lift();
    shop.service.clock.advance(50, 'minutes');
    expect(await look()).toBe(1);
  });

  test('counts once if it is delivered, or fetched by an operator, as well', async () => {
    const event = lose();
    shop.service.clock.advance(50, 'minutes');
    expect(await look()).toBe(1);
    await shop.deliver({ ...event });
    const account = { accountId: shop.merchant.id, days: 1 };
    expect(await backfillPspEvents(shop.service.services, account)).toMatchObject({ processed: 0, duplicate: 1 });
    expect(await shop.count('sale')).toBe(1);
  });
});
