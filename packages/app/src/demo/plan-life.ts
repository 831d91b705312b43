import { addressOf, customerOf, DEMO_AFFILIATES } from './people.ts';

/** A source of choices that can be repeated: the same seed makes the same choices. */
class Chance {
  #state: number;

  /** `seed` is an integer from 1 to 2,147,483,646. */
  constructor(seed: number) {
    this.#state = seed;
  }

  /** Returns a number in [0, 1) (Lehmer). */
  next(): number {
    this.#state = (this.#state * 48_271) % 2_147_483_647;
    return this.#state / 2_147_483_647;
  }

  /** Returns one of the items. There must be at least one. */
  pick<T>(items: readonly [T, ...T[]]): T {
    return items[Math.floor(this.next() * items.length)] ?? items[0];
  }
}

/** Number of days that the demo shows. The last one is the day on which it is made. */
const DEMO_DAYS = 90;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Share of the visits that lead to a first sale. */
const BUYING = 0.05;
/** Share of the subscriptions that are renewed each month. */
const RENEWING = 0.8;
const RENEWED_AFTER_DAYS = 30;
/** Hours (UTC) at which people visit. Few, because clicks are counted by the hour. */
const VISITING_HOURS = [8, 13, 19] as const;
/** The day on which an affiliate buys through the affiliate's own link. */
const SELF_REFERRAL_DAY = 86;
/** Index of this affiliate. */
const SELF_REFERRER = 4;

const PLANS = [
  { description: 'Starter, monthly', amount_cents: 2_900 },
  { description: 'Starter, monthly', amount_cents: 2_900 },
  { description: 'Team, monthly', amount_cents: 7_900 },
  { description: 'Team, monthly', amount_cents: 7_900 },
  { description: 'Business, monthly', amount_cents: 24_900 },
] as const;

const BROWSERS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0',
] as const;
const COUNTRIES = ['US', 'US', 'US', 'DE', 'GB', 'FR', 'IN'] as const;
const CAMPAIGNS = ['', '', '?utm_source=newsletter&utm_medium=email', '?utm_source=blog&utm_medium=review'] as const;

/** A visit to the link of an affiliate. Times are in milliseconds since 1970. */
export interface PlannedVisit {
  at: number;
  affiliate: number;
  address: string;
  userAgent: string;
  country: string;
  query: string;
  /** The customer that the visitor becomes, or null. */
  customer: PlannedCustomer | null;
}

interface PlannedCustomer {
  number: number;
  name: string;
  email: string;
  description: string;
  amount_cents: number;
}

export interface PlannedSale {
  at: number;
  customer: PlannedCustomer;
}

/** The visits and sales of a day, each in the order of their times. */
export interface PlannedDay {
  day: number;
  /** Start of the day (UTC). */
  midnight: number;
  /** Milliseconds of the day that had passed when the demo was made. */
  span: number;
  visits: PlannedVisit[];
  sales: PlannedSale[];
}

/** Plans the life of the demo until `now`. The same seed and time make the same plan. */
export function planLife(now: number, seed: number): PlannedDay[] {
  const chance = new Chance(seed);
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  /** Customers by the day of their next renewal. */
  const renewals = new Map<number, PlannedCustomer[]>();
  let customers = 0;
  const becomeCustomer = (person?: { name: string; email: string }): PlannedCustomer => {
    customers += 1;
    return { number: customers, ...(person ?? customerOf(customers)), ...chance.pick(PLANS) };
  };
  const days: PlannedDay[] = [];
  for (let day = 0; day < DEMO_DAYS; day += 1) {
    const midnight = today - (DEMO_DAYS - 1 - day) * DAY_MS;
    const span = Math.min(DAY_MS, now - midnight);
    // The night has just begun, and nobody has visited yet.
    if (span < HOUR_MS) continue;
    const isWeekend = [0, 6].includes(new Date(midnight).getUTCDay());
    const pace = (0.6 + day / DEMO_DAYS) * (isWeekend ? 0.5 : 1) * (span / DAY_MS);
    const visits = DEMO_AFFILIATES.flatMap(({ joins, weight }, affiliate) => {
      const count = joins > day ? 0 : Math.round(weight * pace * (0.4 + 1.2 * chance.next()));
      return Array.from({ length: count }, () => {
        const at = midnight + Math.floor(((chance.pick(VISITING_HOURS) + chance.next()) / 24) * span);
        return visitOf(chance, { at, affiliate, customer: chance.next() < BUYING ? becomeCustomer() : null });
      });
    });
    if (day === SELF_REFERRAL_DAY) {
      const { first_name, last_name } = DEMO_AFFILIATES[SELF_REFERRER]!;
      const customer = becomeCustomer({ name: `${first_name} ${last_name}`, email: addressOf(first_name) });
      visits.push(visitOf(chance, { at: midnight + span / 2, affiliate: SELF_REFERRER, customer }));
    }
    const renewed = (renewals.get(day) ?? []).filter(() => chance.next() < RENEWING);
    const buying = visits.flatMap(({ at, customer }) => (customer ? [{ at, customer }] : []));
    const sales = [
      ...renewed.map((customer) => ({ at: midnight + Math.floor(0.8 * chance.next() * span), customer })),
      ...buying.map(({ at, customer }) => ({ at: at + Math.floor(0.05 * chance.next() * span), customer })),
    ];
    renewals.set(
      day + RENEWED_AFTER_DAYS,
      sales.map(({ customer }) => customer),
    );
    const inOrder = (one: { at: number }, other: { at: number }) => one.at - other.at;
    days.push({ day, midnight, span, visits: visits.toSorted(inOrder), sales: sales.toSorted(inOrder) });
  }
  return days;
}

function visitOf(chance: Chance, visit: Pick<PlannedVisit, 'at' | 'affiliate' | 'customer'>): PlannedVisit {
  return {
    ...visit,
    // An address of a network that is reserved for documentation.
    address: `2001:db8::${Math.floor(chance.next() * 0xffff).toString(16)}:${Math.floor(chance.next() * 0xffff).toString(16)}`,
    userAgent: chance.pick(BROWSERS),
    country: chance.pick(COUNTRIES),
    query: chance.pick(CAMPAIGNS),
  };
}
