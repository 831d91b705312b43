/**
 * Every merchant has a signing secret and can therefore sign any event. These tests send events with a bad value in every field that the service
 * reads. The service must not fail, and the records that it writes must be readable. In the ordinary run, each field gets an eighth of the values,
 * and neighbouring fields get different ones.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { createProgram } from '../psp/fixtures.ts';
import { type Merchant, usePspService } from '../psp/service.ts';
import { send } from '../support/http.ts';
import {
  charge,
  checkoutCustomer,
  checkoutSession,
  coupon,
  creditNote,
  customer,
  dispute,
  invoice,
  invoicePayment,
  legacyCharge,
  legacyInvoice,
  legacyPromotionCode,
  promotionCode,
  refund,
  refundedCharge,
  sendEvent,
  signedDelivery,
  wireEvent,
  type WireEvent,
} from '../support/psp-server/index.ts';
import { sample } from '../support/thorough.ts';
import { LONG } from './bad-values.ts';
import { problemOfRefusal } from './refusals.ts';
import { type FieldPath, withValue } from './targets.ts';

const service = usePspService();
let merchant: Merchant;
let referral_id: string;

beforeAll(async () => {
  merchant = await service.createMerchant();
  await merchant.connect();
  const { affiliateId: affiliate_id, campaignId: campaign_id } = await createProgram(merchant);
  ({ id: referral_id } = await merchant.call().referrals.create({ affiliate_id, campaign_id }));
});

const KINDS: Record<string, () => WireEvent> = {
  'checkout.session.completed': () =>
    wireEvent(
      'checkout.session.completed',
      checkoutSession({
        client_reference_id: referral_id,
        customer: 'cus_1',
        customer_details: checkoutCustomer({ email: 'ada@example.com', name: 'Ada' }),
        payment_intent: 'pi_1',
      }),
    ),
  'customer.updated': () => wireEvent('customer.updated', customer({ id: 'cus_1', email: 'ada@example.com', name: 'Ada' })),
  'customer.subscription.created': () => {
    const discounts = [{ id: 'di_1', promotion_code: 'promo_1', start: 1_700_000_000 }];
    const told = { id: 'sub_1', object: 'subscription', customer: 'cus_1', metadata: { referral: referral_id }, livemode: false };
    return wireEvent('customer.subscription.created', { ...told, discounts, discount: discounts[0], created: 1_700_000_000 });
  },
  'payment_intent.succeeded': () => {
    const { payment_intent: id, created } = charge();
    const told = { id, object: 'payment_intent', customer: 'cus_1', receipt_email: 'ada@example.com', latest_charge: 'ch_1' };
    return wireEvent('payment_intent.succeeded', { ...told, metadata: { referral: referral_id }, created, livemode: false });
  },
  'charge.succeeded': () => wireEvent('charge.succeeded', legacyCharge(charge({ amount: 1_000 }), null)),
  'charge.refunded': () => {
    const paid = charge({ amount: 1_000 });
    return wireEvent('charge.refunded', refundedCharge(paid, [refund(paid)]));
  },
  'refund.updated': () => wireEvent('refund.updated', refund(charge({ amount: 1_000 }))),
  'charge.dispute.closed': () => wireEvent('charge.dispute.closed', dispute(charge({ amount: 1_000 }), { status: 'lost' })),
  'credit_note.created': () => {
    const note = creditNote(invoice({ id: 'in_1' }), { refunds: [refund(charge({ amount: 1_000 }))], tax: 100 });
    return wireEvent('credit_note.created', { ...note, refund: 're_1', tax_amounts: note.total_taxes });
  },
  'invoice.paid': () => {
    const made = invoice({ amount_paid: 1_000, total: 1_000 });
    return wireEvent('invoice.paid', {
      ...made,
      payments: { object: 'list', data: [invoicePayment(made, 'pi_2')], has_more: false, url: '' },
    });
  },
  'invoice.paid of an old version': () =>
    wireEvent('invoice.paid', legacyInvoice(invoice({ amount_paid: 1_000 }), charge({ amount: 1_000 }), 100)),
  'promotion_code.updated': () =>
    wireEvent('promotion_code.updated', legacyPromotionCode(promotionCode({ code: 'ADA' }), coupon({ id: 'SPRING' }))),
};

/** Lists the paths in an object, with their values. Includes only the first element of each array. */
function placesIn(value: unknown, at: FieldPath = []): { path: FieldPath; value: unknown }[] {
  const inner = Array.isArray(value)
    ? value.slice(0, 1).flatMap((item) => placesIn(item, [...at, 0]))
    : typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([name, child]) => placesIn(child, [...at, name]))
      : [];
  return [...(at.length > 0 ? [{ path: at, value }] : []), ...inner];
}

/** Names of the fields that the service reads. */
const READ = new Set(
  `id created livemode data object 0 amount amount_captured amount_refunded amount_paid amount_tax captured currency customer
  customer_email customer_name customer_details email name billing_details receipt_email description payment_intent payment payments
  invoice refunds charge status status_transitions client_reference_id discounts discount promotion_code promotion total total_details
  total_taxes total_tax_amounts tax lines paid_at code active expires_at times_redeemed metadata restrictions minimum_amount
  minimum_amount_currency coupon has_more refund total_excluding_tax tax_amounts
  paid_out_of_band out_of_band_amount total_discount_amounts referral affiliate latest_charge start`.split(/\s+/),
);

const OF_ANY_TYPE = [null, -1, [], 'a\0b'];
/** Numbers beyond the range of dates, amounts and columns. */
const NUMBERS = [1.5, 1e12, 8.65e12, 2 ** 53, 1e308];
const TEXTS = ['', '\ud800', LONG];

function badValues(value: unknown): unknown[] {
  if (typeof value === 'number') return [...OF_ANY_TYPE, ...NUMBERS];
  return typeof value === 'object' && value !== null ? OF_ANY_TYPE : [...OF_ANY_TYPE, ...TEXTS];
}

it.each(Object.keys(KINDS))('answers %s with any content', async (kind) => {
  const problems: string[] = [];
  const places = placesIn(KINDS[kind]!())
    .filter(({ path }) => path.every((name) => READ.has(String(name))))
    // Fields that all kinds of events share are tested with one kind only.
    .filter(({ path: [first] }) => first === 'data' || kind === 'customer.updated');
  expect(places.flatMap(({ value }) => badValues(value)).length).toBeGreaterThan(50);
  const requests = places.flatMap(({ path, value }, place) => sample(badValues(value), 8, place).map((bad) => ({ path, bad })));
  const work = async () => {
    for (let next = requests.pop(); next; next = requests.pop()) {
      const event = withValue(KINDS[kind]!(), next.path, next.bad) as WireEvent;
      const delivery = signedDelivery(event, { secret: merchant.webhookSecret });
      const reply = await send(`${service.url}/psp/webhooks/${merchant.id}`, 'POST', {
        raw: delivery.body,
        headers: delivery.headers,
      });
      const problem = reply.status === 200 ? null : problemOfRefusal(reply);
      if (problem !== null) problems.push(`${next.path.join('.')} = ${JSON.stringify(next.bad)?.slice(0, 30)}: ${problem}`);
    }
  };
  await Promise.all(Array.from({ length: 6 }, work));
  expect(problems).toEqual([]);
});

it('recognizes a customer whose email address has letters outside ASCII', async () => {
  const told = () =>
    sendEvent(
      `${service.url}/psp/webhooks/${merchant.id}`,
      wireEvent(
        'charge.succeeded',
        legacyCharge(
          charge({ amount: 1_000, customer: null, receipt_email: 'ÉMİLE@EXAMPLE.COM', billing_details: null as never }),
          null,
        ),
      ),
      { secret: merchant.webhookSecret },
    );
  expect([(await told()).status, (await told()).status]).toEqual([200, 200]);
});

describe('afterwards', () => {
  it.each([
    '/commissions?expand=sale,campaign&limit=100',
    '/referrals?expand=customer,affiliate&limit=100',
    '/payouts?limit=100',
  ])('%s can be read', async (path) => {
    for (let page = 1; ; page += 1) {
      const { status, body, text } = await merchant.api.get<{ pagination: { next_page: number | null } }>(`${path}&page=${page}`);
      expect({ status, text: status === 200 ? '' : text }).toEqual({ status: 200, text: '' });
      if (body.pagination.next_page === null) break;
    }
  });
});
