import { z } from 'zod';
import { SHOWN_STATES } from '../../identity/affiliations/affiliations.ts';
import { PaymentOutlook } from '../../ledger/payouts/payout.schema.ts';
import { currencyCode, id, instant, signedCents, textInEachLanguage } from '../../platform/wire/scalars.ts';
import { METRICS, MILESTONE_WINDOWS } from '../../rewards/worth/rule.ts';

export const PortalHome = z
  .object({
    affiliate_id: id('affiliate'),
    first_name: z.string().nullable(),
    state: z.enum(SHOWN_STATES).describe('`disabled`: the affiliate can still read, but earns no new commissions.'),
    account_name: z.string(),
    campaign: z.object({
      id: id('campaign'),
      name: z.string(),
      url: z.string(),
      reward: z.string().describe('Reward of the campaign for sales, in words.'),
      reward_in: textInEachLanguage().describe('`reward` in each language.'),
      welcome_text: z.string().nullable(),
      affiliate_dashboard_text: z.string().nullable(),
      archived_at: instant().nullable().describe('Time at which the campaign ended. Its links earn nothing since then.'),
      reward_change: z
        .object({ at: instant(), former_in: textInEachLanguage() })
        .nullable()
        .describe('The last change of the terms within 30 days, with the former reward in each language; null without one.'),
    }),
    rewards: z
      .array(textInEachLanguage())
      .describe(
        'Earnings besides `campaign.reward`: one sentence for each reward rule, in each language, in the order in which they decide.',
      ),
    tiers: z
      .array(
        z.object({
          id: id('tier'),
          name: z.string(),
          metric: z.enum(METRICS),
          currency: currencyCode().nullable(),
          window: z.enum(MILESTONE_WINDOWS),
          from: z.int().describe('Number from which the tier is reached.'),
          is_reached: z.boolean().describe('`true` if the affiliate has the tier now, by the last closed period.'),
          count: z
            .int()
            .describe('Number that the affiliate has reached in the current period, which decides about the next one.'),
        }),
      )
      .describe('The tiers of the campaign, from the lowest.'),
    tier_history: z
      .array(z.object({ name: z.string(), since: instant(), until: instant().nullable() }))
      .describe(
        'The periods in which the affiliate has had tiers of the campaign, newest first; `until` is null for current ones.',
      ),
    terms: z
      .object({
        version: z.int(),
        body: z.string(),
        summary: z.string().nullable().describe('The merchant’s words about what changes.'),
        applies_from: instant().describe('Time from which the affiliate needs to have accepted the terms.'),
        is_due: z.boolean().describe('`true` if the affiliate has to accept the terms now.'),
        changes: z
          .object({ added: z.array(z.string()), removed: z.array(z.string()) })
          .nullable()
          .describe(
            'The paragraphs that the version last accepted, or the version before, lacks or has in addition; null for first terms.',
          ),
      })
      .nullable()
      .describe('Terms that the affiliate has not accepted yet; null if there are none.'),
    links: z
      .array(
        z.object({
          id: id('link'),
          token: z.string(),
          label: z.string().nullable(),
          tracking_url: z.string(),
          copy_url: z.string(),
          url: z.string(),
          earns: z.boolean(),
        }),
      )
      .describe('The newest three links; empty while there are terms that have to be accepted now.'),
    clicks: z.int(),
    visitors: z.int(),
    leads: z.int(),
    conversions: z.int(),
    earnings: z
      .array(
        z.object({
          currency: currencyCode(),
          pending_cents: signedCents().describe('Earned but not due yet.'),
          in_review_cents: signedCents().describe('Earned but held until the merchant has reviewed it.'),
          due_cents: signedCents().describe('Due: in the open payout, or in a payout that is being paid.'),
          paid_cents: signedCents(),
          outlook: PaymentOutlook.nullable().describe('What is paid next; null if nothing is unpaid.'),
        }),
      )
      .describe('One entry for each currency with commissions.'),
  })
  .meta({ id: 'PortalHome', description: 'The start page of an affiliate: campaign, links, counts and earnings.' });
export type PortalHome = z.infer<typeof PortalHome>;
