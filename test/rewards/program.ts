import { beforeEach } from 'vitest';
import type { Fields } from '../support/http.ts';
import { must, type Program, program, refer, sell, unique } from '../support/program.ts';
import type { Outputs, TestAccount, TestService } from '../support/service.ts';
import { useAccount, useMade } from '../support/suite.ts';

export type RewardRule = Outputs['rewardRules']['create'];
export type Commission = Outputs['commissions']['get'];

/** Creates a rule for a campaign. */
export function rule(account: TestAccount, campaign: { id: string }, values: Fields): Promise<RewardRule> {
  return must<RewardRule>(account, '/reward_rules', { campaign_id: campaign.id, name: unique('rule'), ...values });
}

export const line = (product: string, amount_cents: number, more: Fields = {}): Fields => ({ product, amount_cents, ...more });

/** A campaign that pays 10 % at once, with a referral of its affiliate. */
export async function shop(account: TestAccount, terms: Fields = {}): Promise<Program & { referral: { id: string } }> {
  const friends = await program(account, { days_until_commissions_are_due: 0, ...terms });
  return { ...friends, referral: await refer(account, friends) };
}

/** Sets the clock before each test, and then creates an account with a shop. */
export function useShop(service: TestService, at: string, terms: Fields = {}) {
  beforeEach(() => service.clock.set(at));
  const account = useAccount(service);
  return { account, friends: useMade('test', () => shop(account, terms)) };
}

/** Reports a sale of some lines, whose amounts are those of the sale. Returns its commission with the lines. */
export async function sellLines(
  account: TestAccount,
  { referral }: { referral: { id: string } },
  lines: Fields[],
  more: Fields = {},
): Promise<{ external_id: string; commission: Commission | null }> {
  const amount_cents = lines.reduce((sum, { amount_cents: cents }) => sum + (cents as number), 0);
  const { sale, commission } = await sell(account, { referral_id: referral.id, amount_cents, lines, ...more });
  return { external_id: sale.external_id!, commission: commission && (await withLines(account, commission.id)) };
}

export function withLines(account: TestAccount, id: string): Promise<Commission> {
  return account.client.commissions.get.query({ id, expand: ['lines'] });
}

/** The product, rule and cents of each line of a commission. */
export function linesOf({ lines }: Commission): [product: string | null, rule: string | null, cents: number][] {
  return lines!.map(({ product, rule_id, amount_cents }) => [product, rule_id, amount_cents]);
}
