import { z } from 'zod';
import { email, id, instant, nameText, text } from '../../platform/wire/scalars.ts';
import { CONVERSION_STATES } from '../../program/referrals/referral.entity.ts';

/** Input of a click on a tracked link. */
export const FollowLink = z.strictObject({
  token: z.string().meta({ description: 'Token of the link.', example: 'ada' }),
  account_id: z.string().optional().meta({
    description: 'ID of the link’s account. Without it, the link that has had this token longest is followed.',
    example: 'acct_01k9v7m3q8e2t4r6w8y0a1b2c3',
  }),
  known_referrals: z
    .record(id('account'), id('referral'))
    .default({})
    .describe(
      'Referrals that this browser already has, by account. A live referral is kept, unless the campaign of the link uses `last_click`.',
    ),
  record: z
    .boolean()
    .default(true)
    .describe('False for prefetches and look-ups: the link is followed without recording a visit.'),
});
export type FollowLink = z.infer<typeof FollowLink>;

/** Input of a click on a tracked link whose address names the program. */
export const FollowProgramLink = FollowLink.omit({ account_id: true }).extend({
  program: z
    .string()
    .max(100)
    .meta({ description: 'Slug of the program: its current one, or one that it had before.', example: 'northwind-tea' }),
});
export type FollowProgramLink = z.infer<typeof FollowProgramLink>;

export const Landing = z.object({
  url: z.string().describe('The destination, with `via` and `referral` when a visit was recorded.'),
  account_id: id('account'),
  referral: z
    .object({ id: id('referral'), expires_at: instant().nullable() })
    .nullable()
    .describe('The referral that the browser should remember; null when no visit was recorded.'),
});
export type Landing = z.infer<typeof Landing>;

/** Maximum length of a text from the tracking script. Longer than any address that browsers and servers accept. */
const MAX_TEXT = 65_536;

/** Input from the tracking script on a merchant's page. At least one of `token`, `passed_referral_id` and `parameters` is needed. */
export const TrackVisit = z.strictObject({
  account_id: id('account'),
  token: z.string().max(64).nullish().describe('Value of the `via` parameter of the page URL.'),
  passed_referral_id: id('referral')
    .nullish()
    .describe(
      'Value of the `referral` parameter of the page URL, which a tracked link adds. If this referral is live, the link has already counted the visit.',
    ),
  referral_id: id('referral')
    .nullish()
    .describe(
      'Existing referral of this browser. It is kept while it is live, unless the campaign of the link uses `last_click`.',
    ),
  parameters: z
    .string()
    .max(MAX_TEXT)
    .nullish()
    .describe('Part of the page URL that contains `via` or `referral`, in place of `token` and `passed_referral_id`.'),
  url: z.string().max(MAX_TEXT).nullish().describe('URL of the page.'),
  referrer: z.string().max(MAX_TEXT).nullish().describe('URL of the page from which the visitor came (`document.referrer`).'),
  cookie_domain: z
    .string()
    .max(253)
    .nullish()
    .describe(
      'Domain for which the browser accepts cookies. If the request goes to the merchant’s own domain, the response sets the referral cookie for this domain.',
    ),
});
export type TrackVisit = z.infer<typeof TrackVisit>;

export const TrackedVisit = z
  .object({
    referral_id: id('referral')
      .nullable()
      .describe(
        '`null` if the visitor got no referral, e.g. because the link is unknown or archived, or its affiliate or campaign is not active.',
      ),
    expires_at: z.string().nullable().describe('Time before which the referral must convert.'),
    max_age: z
      .int()
      .nullable()
      .describe('Time for which the browser should remember the referral, in seconds: at least one day.'),
  })
  .meta({ id: 'TrackedVisit' });
export type TrackedVisit = z.infer<typeof TrackedVisit>;

export const TrackLead = z.strictObject({
  referral_id: id('referral'),
  email: email(),
  name: nameText(200).nullish(),
  external_customer_id: text(255).nullish().describe('Your own ID of the customer.'),
});
export type TrackLead = z.infer<typeof TrackLead>;

export const TrackedLead = z
  .object({ referral_id: id('referral'), conversion_state: z.enum(CONVERSION_STATES) })
  .meta({ id: 'TrackedLead' });
export type TrackedLead = z.infer<typeof TrackedLead>;
