import { z } from 'zod';
import { email, id, text } from '../../platform/wire/scalars.ts';
import { CONVERSION_STATES } from '../../program/referrals/referral.entity.ts';

/** Sent by the tracking script on a merchant's page. */
export const TrackVisit = z.strictObject({
  account_id: id('account'),
  token: z.string().max(64).describe('Value of the `via` parameter of the page URL.'),
  referral_id: id('referral')
    .nullish()
    .describe('Existing referral of this browser. It is kept while it is live, because the first click wins.'),
});
export type TrackVisit = z.infer<typeof TrackVisit>;

export const TrackedVisit = z
  .object({
    referral_id: id('referral')
      .nullable()
      .describe('`null` if nothing was recorded: the token is unknown or archived, or its affiliate or campaign is inactive.'),
    expires_at: z.string().nullable(),
  })
  .meta({ id: 'TrackedVisit' });
export type TrackedVisit = z.infer<typeof TrackedVisit>;

export const TrackLead = z.strictObject({
  referral_id: id('referral'),
  email: email(),
  name: text(200).nullish(),
});
export type TrackLead = z.infer<typeof TrackLead>;

export const TrackedLead = z
  .object({ referral_id: id('referral'), conversion_state: z.enum(CONVERSION_STATES) })
  .meta({ id: 'TrackedLead' });
export type TrackedLead = z.infer<typeof TrackedLead>;
