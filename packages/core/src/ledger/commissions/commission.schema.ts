import { z } from 'zod';
import { merchantData, merchantDataInput } from '../../platform/wire/merchant-data.ts';
import {
  currency,
  currencyCode,
  id,
  instant,
  livemode,
  MAX_CENTS,
  signedCents,
  text,
  textInEachLanguage,
  timestamp,
} from '../../platform/wire/scalars.ts';
import { COMMISSION_STATES } from '../../platform/wire/states.ts';
import { RewardPay } from '../../rewards/rules/reward-rule.schema.ts';
import { INTERVALS, LINE_NOTES } from '../../rewards/worth/rule.ts';
import { LEDGER_REASONS } from '../reasons.ts';
import { COMMISSION_KINDS, REVIEW_REASONS, REVIEW_STATUSES } from './commission.entity.ts';

const plain = z.object({
  id: id('commission'),
  state: z.enum(COMMISSION_STATES).describe('`pending`: not due yet; `due`: ready for payout; `paid`; or `voided`.'),
  kind: z
    .enum(COMMISSION_KINDS)
    .describe(
      '`sale`: earned from a sale; `bonus`: paid on top of it by a reward rule; `lead`: earned for a lead; `milestone`: earned for a number of customers or sales, or for revenue; `adjustment`: correction of a commission that was already claimed or paid; `manual`: created by hand; `imported`: decided by another tool, and changed only by refunds from after the import.',
    ),
  amount_cents: signedCents().describe('Amount in the minor unit of `currency`; negative for a clawback.'),
  currency: currencyCode(),
  livemode: livemode(),
  due_at: instant().describe('Time at which the commission becomes due.'),
  paid_at: instant().nullable().describe('Time at which the commission was marked paid.'),
  voided_at: instant().nullable(),
  void_reason: z.string().nullable(),
  review_status: z
    .enum(REVIEW_STATUSES)
    .nullable()
    .describe(
      '`suspicious`: the commission is flagged and excluded from payouts until you approve it. `approved`: you approved it.',
    ),
  review_reason: z
    .enum(REVIEW_REASONS)
    .nullable()
    .describe(
      'Reason why the commission was flagged automatically. `self_referral`: the customer uses an email address of the affiliate. `possible_duplicate`: both Stripe and you reported a sale of the same customer and amount (with or without tax) within 15 minutes. `tax_currency`: Stripe reported the tax in another currency than the charge, so the tax was ignored. `crowded_network`: a lead from a page connects the customer with the affiliate, and it was one of at least 20 within ten minutes from one network; the flag ends when you name the referral for the customer. `unproven_lead`: only a lead from a page, which anyone can send, connects the customer with the affiliate; the flag ends when your server, a checkout or a payment names the same referral. `unverified_address`: only an email address that somebody typed connects the sale with the affiliate, until you name the referral or the address; or the sale names another affiliate, and no ID of the customer. `suspicious_affiliate`: the affiliate was suspicious when the customer was charged; the flag ends when you set the affiliate to `active`. `unpaid_lead`: a reward for a lead who has not paid yet; the flag ends with the first payment or when the commission becomes due. `dispute`: the customer disputes the payment, and the dispute is open.',
    ),
  campaign_id: id('campaign'),
  affiliate_id: id('affiliate'),
  referral_id: id('referral').nullable().describe('`null` for manual commissions, milestones and their adjustments.'),
  sale_id: id('sale').nullable().describe('`null` for manual commissions, leads, milestones and their adjustments.'),
  rule_id: id('reward_rule')
    .nullable()
    .describe('The reward rule that pays a bonus, a lead or a milestone; `null` for other kinds.'),
  payout_id: id('payout').nullable(),
  adjusts_commission_id: id('commission')
    .nullable()
    .describe('Commission that this adjustment corrects; `null` for other kinds.'),
  note: z.string().nullable().describe('Purpose of a manual commission; `null` for other kinds.'),
  created_by: z
    .string()
    .nullable()
    .describe('ID of the user, API key, or connector that created a manual commission; `null` for other kinds.'),
  ...merchantData,
  created_at: instant(),
  updated_at: instant(),
});
export type PlainCommission = z.infer<typeof plain>;
export const PlainCommission = plain.meta({ id: 'PlainCommission', description: 'A commission without expansions.' });

/** The earnings of a line of a sale for a commission that reward rules decided. */
export const CommissionLine = z
  .object({
    product: z.string().nullable().describe('`null` if the lines of the sale are not known.'),
    price: z.string().nullable(),
    name: z.string().nullable().describe('Name of what was sold, for people.'),
    interval: z.enum(INTERVALS).nullable(),
    quantity: z.int(),
    rule_id: id('reward_rule').nullable().describe('The rule that decided; `null` for the base reward of the campaign.'),
    rule_name: z.string().nullable().describe('Name of the rule now.'),
    rule_version: z.int().nullable(),
    pay: RewardPay.describe('Payment of the rule when the sale was charged. Later changes of the rule have no effect.'),
    note: z
      .enum(LINE_NOTES)
      .nullable()
      .describe(
        '`other_currency`: the line earns nothing, because it would earn in another currency than the commission. `cap_other_currency`: the cap of the rule is in another currency than its payment, so it does not count.',
      ),
    base_cents: signedCents().describe('Amount of the line without tax, after refunds.'),
    amount_cents: signedCents().describe('Earnings of the line after refunds and adjustments.'),
    explanation: z.string().describe('Which rule decided, and how the amount is computed, in plain words.'),
  })
  .meta({ id: 'CommissionLine', description: 'Earnings of a line of a sale.' });
export type CommissionLine = z.infer<typeof CommissionLine>;

/** The reward that the facts known now give instead of a paid one. */
export const ContestedReward = z
  .object({
    affiliate_id: id('affiliate')
      .nullable()
      .describe(
        'Affiliate who would earn the reward for the lead. `null` if nobody would, or the same affiliate another amount.',
      ),
    amount_cents: signedCents().describe('Amount that would be earned, in the currency of the commission.'),
  })
  .meta({ id: 'ContestedReward', description: 'The reward that the facts known now give instead of a paid one.' });

export const CommissionId = z.strictObject({ id: id('commission') });

export const CreateCommission = z.strictObject({
  affiliate_id: id('affiliate'),
  amount_cents: z
    .int()
    .min(-MAX_CENTS)
    .max(MAX_CENTS)
    .refine((amount) => amount !== 0, LEDGER_REASONS.zero)
    .meta({ example: 5000 })
    .describe('Amount in the minor unit of `currency`; negative to take money back from the next payout. Not 0.'),
  currency: currency(),
  note: text(500).describe('Purpose of the commission, e.g. a bonus or a correction.').meta({ example: 'Bonus for November' }),
  due_at: timestamp().optional().describe('Time at which the commission becomes due. Defaults to now.'),
  ...merchantDataInput,
});
export type CreateCommission = z.infer<typeof CreateCommission>;

export const UpdateCommission = z.strictObject({
  id: id('commission'),
  due_at: timestamp().optional().describe('Due date. Moves an unpaid commission between `pending` and `due`.'),
  paid_at: timestamp()
    .nullable()
    .optional()
    .describe(
      'Set to a time, not in the future, to mark the commission paid manually, or to `null` to make it pending or due again.',
    ),
  ...merchantDataInput,
});
export type UpdateCommission = z.infer<typeof UpdateCommission>;

export const VoidCommission = z.strictObject({
  id: id('commission'),
  void_reason: text(500).optional().describe('Reason, stored with the commission.').meta({ example: 'Test order' }),
});
export type VoidCommission = z.infer<typeof VoidCommission>;

const REVIEW_ACTIONS = ['approve', 'suspicious', 'deactivate', 'reconsider', 'keep'] as const;
export const ReviewCommission = z.strictObject({
  id: id('commission'),
  review_action: z
    .enum(REVIEW_ACTIONS)
    .describe(
      '`approve`: clears the flag. `suspicious`: flags the commission and excludes it from payouts. `deactivate`: voids it and deactivates its referral. The bonuses of a sale follow its commission. `reconsider`: takes back a paid bonus, reward for a lead or milestone that facts contradict, and earns what is right by the facts. `keep`: such a reward stands.',
    ),
});
export type ReviewCommission = z.infer<typeof ReviewCommission>;

/** `data` of `commission.*` events: the record and the known details of the paying customer. */
export const CommissionEventData = z
  .object({
    ...plain.shape,
    sale_customer_email: z.string().optional(),
    sale_customer_name: z.string().optional(),
    sale_customer_first_name: z.string().optional(),
    sale_customer_last_name: z.string().optional(),
  })
  .meta({ id: 'CommissionEventData' });

export const UnderReview = z.object({ amount_cents: signedCents(), commissions_count: z.int() }).meta({
  id: 'UnderReview',
  description:
    'Unpaid commissions of the affiliate, in the currency and mode of an open payout, that are flagged for review. They join a payout once they are due and approved. `null` for a payout that is not open.',
});
export type UnderReview = z.infer<typeof UnderReview>;

const STEP_KINDS = [
  'sale',
  'line',
  'base_reward',
  'rule',
  'adjustment',
  'manual',
  'imported',
  'commissions',
  'difference',
  'voided',
  'fee',
  'screening',
] as const;

/** The explanation of an amount of money. */
export const AmountExplanation = z
  .object({
    amount_cents: signedCents().describe('The explained amount.'),
    currency: currencyCode(),
    text: z.string().describe('The explanation in plain English: all steps, one after the other.'),
    in_words: textInEachLanguage().describe('`text` in each language.'),
    steps: z
      .array(
        z.object({
          kind: z
            .enum(STEP_KINDS)
            .describe(
              '`sale`: the amount of the sale that counts. `line`: a line of the sale, by its rule. `base_reward`: by the terms of the campaign. `rule`: a reward of a rule that no line of a sale earns. `commissions`: commissions of a kind in a payout. `difference`: caps, rounding, and changes after the amount was claimed or paid. `fee`: the part of the payout that is not sent, because the affiliate bears it as the fee. `screening`: the reason why the affiliate is not paid yet.',
            ),
          text: z.string(),
          in_words: textInEachLanguage().describe('`text` in each language.'),
          amount_cents: signedCents()
            .nullable()
            .describe('Part of the amount; `null` for a step that only explains. The parts add up to the amount.'),
        }),
      )
      .describe('Steps from what was sold to the amount.'),
  })
  .meta({ id: 'AmountExplanation', description: 'The steps by which an amount came about.' });
export type AmountExplanation = z.infer<typeof AmountExplanation>;
