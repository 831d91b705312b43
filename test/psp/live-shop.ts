import { afterEach, beforeEach } from 'vitest';
import type { WireEvent } from '../support/psp-server/index.ts';
import { type EventShop, useEventShop } from './event-shop.ts';

export interface ListedCommission {
  id: string;
  referral_id: string;
  state: string;
  kind: string;
  amount_cents: number;
  currency: string;
  review_status: string | null;
  review_reason: string | null;
  payout_id: string | null;
  sale: {
    id: string;
    external_id: string | null;
    psp_charge_id: string | null;
    customer_id: string | null;
    refund_amount_cents: number;
    charge_amount_cents: number;
    currency: string;
  };
}

/** A shop connected to the provider in live mode, so that its reported sales and its charges have the same mode. */
export interface LiveShop {
  shop: EventShop;
  /** Opens another shop, with the clock set to the start of the test. */
  reopen: () => Promise<void>;
  deliver: (...events: WireEvent[]) => Promise<void>;
  /** Reports a sale. */
  post: (
    report: object,
  ) => Promise<{ status: number; body: { sale: ListedCommission['sale']; commission: ListedCommission | null } }>;
  commissions: () => Promise<ListedCommission[]>;
}

/** Opens a new live shop for each test of a file. */
export function useLiveShop(): LiveShop {
  const shop = useEventShop({ isLive: true });
  let start: string;
  beforeEach(() => {
    start = shop.service.clock.instant();
  });
  afterEach(() => shop.service.clock.set(start));
  return {
    shop,
    reopen: async () => {
      shop.service.clock.set(start);
      await shop.open();
    },
    deliver: (...events) => shop.deliver(...events.map((event) => ({ ...event, livemode: true }))),
    post: (report) => shop.merchant.api.post('/track/sales', report),
    commissions: async () =>
      (await shop.merchant.api.get<{ data: ListedCommission[] }>('/commissions', { expand: 'sale' })).body.data,
  };
}
