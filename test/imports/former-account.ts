import { Random } from '../support/random.ts';

/** A payment of a customer, and what the former tool has made of it. */
interface FormerCharge {
  cents: number;
  refunded: number;
  earned: number;
  currency: 'USD' | 'EUR';
  state: (typeof STATES)[number];
}

interface FormerAffiliate {
  /** Number of the campaign: 0, 1 or 2. */
  campaign: number;
  state: 'active' | 'pending' | 'disabled';
  hasCode: boolean;
  /** The payments of each customer. */
  customers: FormerCharge[][];
}

/** An account at a former tool, in words that belong to no tool. */
export type FormerAccount = readonly FormerAffiliate[];

export const CAMPAIGNS = ['Everybody', 'Best friends', 'Agencies'] as const;

const STATES = ['paid', 'due', 'scheduled', 'flagged', 'due', 'voided', 'paid'] as const;

/** Returns an account with two currencies, refunds, and commissions in every state: flagged, scheduled, due, voided, paid. */
export function formerAccount(affiliates: number, seed: number): FormerAccount {
  const random = new Random(seed);
  let charges = 0;
  const charge = (): FormerCharge => {
    const cents = random.int(100, 30_000);
    const refunded = random.pick([0, 0, 0, random.int(1, cents)])!;
    return {
      cents,
      refunded,
      earned: Math.round((cents - refunded) * 0.3),
      currency: random.pick(['USD', 'USD', 'EUR'] as const)!,
      state: STATES[(charges += 1) % STATES.length]!,
    };
  };
  return Array.from({ length: affiliates }, (_, i) => ({
    campaign: i % CAMPAIGNS.length,
    state: random.pick(['active', 'active', 'active', 'pending', 'disabled'] as const)!,
    hasCode: i % 5 === 0,
    customers: Array.from({ length: random.int(0, 2) }, () => Array.from({ length: random.int(0, 3) }, charge)),
  }));
}
