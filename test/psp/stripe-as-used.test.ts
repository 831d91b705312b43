/** Runs the events of cases/stripe-as-used.json, which are as shops send them, and compares what the affiliate earns. */
import { expect, test } from 'vitest';
import {
  API_VERSIONS,
  type ApiVersion,
  invoice,
  invoicePayment,
  wireEvent,
  type WireEvent,
} from '../support/psp-server/index.ts';
import { sample } from '../support/thorough.ts';
import cases from './cases/stripe-as-used.json' with { type: 'json' };
import { orders, useEventShop } from './event-shop.ts';

/** A campaign of these cases pays 10 %, due at once. */
const TERMS = { commission_percent: 10, days_until_commissions_are_due: 0 };

/** The expectations after the events of a case. */
interface Right {
  /** Sum of the affiliate's commissions that are not voided. */
  earned_cents: number;
  in_every_order?: boolean;
  /** Why the only sale earned nothing. */
  reason?: string;
  after_the_first_event?: { conversion_state: string };
}

const shop = useEventShop({ isNewForEach: false });

/** Opens a shop and creates a visit through a link of its affiliate. Returns the values of the placeholders in the cases. */
async function visited(): Promise<Record<string, string>> {
  await shop.open();
  await shop.merchant.call().campaigns.update({ id: shop.program.campaignId, ...TERMS });
  const { affiliateId: affiliate_id, campaignId: campaign_id } = shop.program;
  const { token } = await shop.merchant
    .call()
    .links.create({ affiliate_id, campaign_id, url: 'https://shop.example', token: 'janes-link' });
  return { referral: await shop.refer(), token };
}

/** Fills in the placeholders: `{referral}`, `{token}`, and times such as `{now}` or `{now}+60`, in seconds since 1970. */
function filledIn(object: object, names: Record<string, string>): { created?: number } {
  const now = Math.floor(Date.now() / 1_000);
  return JSON.parse(JSON.stringify(object), (_key, value: unknown) => {
    if (typeof value !== 'string') return value;
    const [, later] = /^\{now\}(?:\+(\d+))?$/.exec(value) ?? [null, null];
    if (value.startsWith('{now}')) return now + Number(later ?? 0);
    return value.replaceAll(/\{(\w+)\}/g, (_all, name: string) => names[name] ?? '');
  }) as { created?: number };
}

function eventsOf({ events }: (typeof cases)[number], version: ApiVersion, names: Record<string, string>): WireEvent[] {
  return events.map(({ type, object }) => {
    const told = inVersion(version, type, filledIn(object, names));
    return wireEvent(type, told, { apiVersion: version, ...(told.created !== undefined && { created: told.created }) });
  });
}

/** The cases have the form of older versions. In newer ones, an invoice does not name its payment, which the provider lists. */
function inVersion(version: ApiVersion, type: string, object: { created?: number }): { created?: number } {
  if (type !== 'invoice.paid' || version < '2025-03-31') return object;
  const { charge: _, payment_intent, ...told } = object as Record<string, unknown>;
  const bill = invoice(told);
  shop.merchant.psp.records.invoices.push(bill);
  shop.merchant.psp.records.invoicePayments.push(invoicePayment(bill, String(payment_intent)));
  return told;
}

async function reasons(): Promise<(string | null)[]> {
  const { data } = await shop.merchant.call().sales.list({});
  return data.map(({ no_commission_reason }) => no_commission_reason);
}

async function visitorState(): Promise<object> {
  const { data } = await shop.merchant.call().referrals.list({});
  return { conversion_state: data.at(-1)?.conversion_state };
}

async function earned(): Promise<number> {
  const commissions = await shop.commissions();
  return commissions.filter(({ state }) => state !== 'voided').reduce((sum, { amount_cents }) => sum + amount_cents, 0);
}

const inVersions = API_VERSIONS.flatMap((version, turn) =>
  sample(cases, 2, turn).map((each) => ({ version, name: each.name, each })),
);

test.each(inVersions)('the affiliate earns the right amount in version $version: $name', async ({ version, each }) => {
  const right: Right = each.right;
  const indexes = each.events.map((_, index) => index);
  for (const order of right.in_every_order || indexes.length === 2 ? orders(indexes) : [indexes]) {
    const told = eventsOf(each, version, await visited());
    const [first, ...rest] = order.map((index) => told[index]!);
    await shop.deliver(first!);
    const afterFirst = order[0] === 0 ? right.after_the_first_event : undefined;
    expect(await visitorState()).toMatchObject(afterFirst ?? {});
    await shop.deliver(...rest);
    expect({ order, earned: await earned() }).toEqual({ order, earned: right.earned_cents });
    expect(await reasons()).toEqual([right.reason ?? null]);
    await shop.deliver(...told);
    expect({ order, earned: await earned() }).toEqual({ order, earned: right.earned_cents });
  }
});
