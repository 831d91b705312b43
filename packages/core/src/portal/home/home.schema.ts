import { z } from 'zod';
import { MAIL_LANGUAGES } from '../../platform/mail/in-language.ts';
import { currencyCode, id, instant, signedCents } from '../../platform/wire/scalars.ts';
import { SHOWN_STATES } from '../../identity/affiliations/affiliations.ts';
import { INELIGIBLE_REASONS } from '../../payouts/payouts/payout.schema.ts';

export const PortalHome = z
  .object({
    affiliate_id: id('affiliate'),
    first_name: z.string().nullable(),
    state: z.enum(SHOWN_STATES).describe('`disabled`: the affiliate can read, and earns nothing new.'),
    account_name: z.string(),
    campaign: z.object({
      id: id('campaign'),
      name: z.string(),
      url: z.string(),
      reward: z.string().describe('What a sale earns, in words.'),
      reward_in: z.record(z.enum(MAIL_LANGUAGES), z.string()).describe('The same in each language.'),
      welcome_text: z.string().nullable(),
      affiliate_dashboard_text: z.string().nullable(),
    }),
    terms: z
      .object({ version: z.int(), body: z.string() })
      .nullable()
      .describe('Terms that the affiliate has not accepted yet; null when there are none.'),
    links: z
      .array(z.object({ id: id('link'), token: z.string(), tracking_url: z.string(), url: z.string() }))
      .describe('The newest three links; none while there are terms to accept.'),
    clicks: z.int(),
    visitors: z.int(),
    leads: z.int(),
    conversions: z.int(),
    earnings: z
      .array(
        z.object({
          currency: currencyCode(),
          pending_cents: signedCents().describe('Earned, and not due yet.'),
          in_review_cents: signedCents().describe('Earned, and held until the merchant has looked at it.'),
          due_cents: signedCents().describe('In the open payout, or in one that is being paid.'),
          paid_cents: signedCents(),
          next_due_at: instant().nullable().describe('When the next pending commission falls due.'),
          payout: z
            .object({
              id: id('payout'),
              amount_cents: signedCents(),
              ineligible_reasons: z.array(z.enum(INELIGIBLE_REASONS)).describe('Why it cannot be paid yet; empty when it can.'),
            })
            .nullable()
            .describe('The open payout; null when nothing is due.'),
          minimum_payout_cents: z.int().nullable().describe('The smallest amount that is paid; null when none applies.'),
        }),
      )
      .describe('One entry for each currency with commissions.'),
  })
  .meta({ id: 'PortalHome', description: 'What an affiliate has done and earned.' });
export type PortalHome = z.infer<typeof PortalHome>;
