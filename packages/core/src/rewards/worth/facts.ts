import type { Instant } from '../../platform/time/instant.ts';
import type { CustomerKind, Interval } from './rule.ts';

/** One line of a sale: what was sold, and its share of the amount of the sale. */
export interface Line {
  product: string | null;
  price: string | null;
  /** Text that names what was sold for people. */
  name?: string | null | undefined;
  interval: Interval | null;
  quantity: number;
  /** Amount without tax and discounts, at the charge. The amounts of all lines add up to the amount of the sale. */
  net_cents: number;
  /** The stated amount after negative lines, if the amounts of the lines do not add up to that of the sale. Corrections divide by it. */
  recorded_cents?: number | undefined;
}

/** Everything about a sale that decides what it is worth. */
export interface SaleFacts {
  /** The time whose rules decide: that of the charge. */
  at: Instant;
  affiliate_id: string;
  link_id: string | null;
  currency: string;
  lines: readonly Line[];
  codes: readonly string[];
  country: string | null;
  metadata: Readonly<Record<string, string>>;
  sale_number: number;
  age_months: number;
  customer: CustomerKind;
  /** Ids of the tiers that the affiliate has at the charge. */
  tiers: readonly string[];
  /** The amounts that rules with a cap have paid already within the window of the cap, by the id of the rule. */
  used_cents: Readonly<Record<string, number>>;
}
