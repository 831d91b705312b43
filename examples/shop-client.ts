/**
 * Example of a shop with an affiliate program, written with `@affiliate/client`: from a campaign to a paid payout, with signed events.
 *
 *   SERVICE_URL=http://127.0.0.1:3000 API_KEY=apk_… ACCOUNT_ID=acct_… node shop-client.ts
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createClient, iterate } from '@affiliate/client';
import { type PayoutPaidEvent, webhooks } from '@affiliate/sdk';

const { SERVICE_URL: url = '', API_KEY: apiKey = '', ACCOUNT_ID: accountId = '' } = process.env;
const client = createClient({ url, apiKey, accountId });

// Receives events.
let secret = '';
let onPaid!: (event: PayoutPaidEvent) => void;
const paid = new Promise<PayoutPaidEvent>((resolve) => (onPaid = resolve));
const receiver = createServer(async (request, response) => {
  const event = await webhooks.verify(await text(request), request.headers, secret);
  response.writeHead(204).end();
  if (event.type === 'payout.paid') onPaid(event);
});
await once(receiver.listen(0, '127.0.0.1'), 'listening');
const endpoint = await client.webhookEndpoints.create.mutate({
  name: 'Shop',
  url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
  event_types: ['affiliate.created', 'commission.created', 'payout.paid'],
});
secret = endpoint.signing_secret;

// Ada promotes the shop.
const campaign = await client.campaigns.create.mutate({
  name: 'Friends of the shop',
  url: 'https://shop.example.com',
  reward_type: 'percent',
  commission_percent: 20,
  days_until_commissions_are_due: 0,
  default: true,
});
const ada = await client.affiliates.create.mutate({ email: 'ada@example.com', first_name: 'Ada' });
const link = await client.links.create.mutate({ affiliate_id: ada.id, campaign_id: campaign.id, url: campaign.url });

// A visitor clicks her link and buys for 50 dollars. Later, 10 dollars are refunded.
const { pathname, search } = new URL(link.tracking_url);
const click = await fetch(`${url}${pathname}${search}`, { redirect: 'manual' });
const referralId = new URL(click.headers.get('location')!).searchParams.get('referral')!;
await client.tracking.recordSale.mutate({
  referral_id: referralId,
  external_id: 'order-1001',
  amount_cents: 5_000,
  currency: 'USD',
  customer_email: 'grace@example.com',
});
await client.tracking.recordRefund.mutate({ external_id: 'order-1001', refund_id: 'refund-1', amount_cents: 1_000 });

// The shop pays what it owes.
let owed = 0;
for await (const commission of iterate(client.commissions.list, { state: ['due'] })) owed += commission.amount_cents;
for await (const { id } of iterate(client.payouts.list, { eligible: true }))
  await client.payouts.pay.mutate({ id, payment_reference: 'transfer 42' }, { context: { idempotencyKey: `pay-${id}` } });

const { data } = await paid;
console.log(JSON.stringify({ owed, paid: data.amount_cents, reference: data.payment_reference }));
receiver.closeAllConnections();
receiver.close();
