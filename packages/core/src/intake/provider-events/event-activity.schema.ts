import { z } from 'zod';
import { instant } from '../../platform/wire/scalars.ts';

export const EventActivity = z.object({
  types: z
    .array(z.object({ type: z.string(), last_at: instant().nullable() }))
    .describe('The event types that the service handles, each with the time of its last event in 90 days.'),
  unused_types: z
    .array(z.object({ type: z.string(), last_at: instant() }))
    .describe('Other event types that Stripe has sent. They have no effect.'),
  ignored: z
    .array(
      z.object({
        type: z.string().nullable().describe('Type of the events; `null` if the reason does not depend on the type.'),
        reason: z.string(),
        count: z.int(),
        last_at: instant(),
      }),
    )
    .describe(
      'Events of handled types that had no effect, by reason: first those that are kept because they may have an effect later, then those of the last 7 days that contained nothing of use.',
    ),
  never_meet: z
    .boolean()
    .describe(
      '`true` if the account has been connected for 7 days, and in the last 7 days affiliates’ links had visitors and new customers paid, but no checkout or payment named a referral. Then the pages probably do not pass the referral to Stripe.',
    ),
});
export type EventActivity = z.infer<typeof EventActivity>;

export const LastEvents = z.object({
  live: instant().nullable().describe('Time of the last live event; null if there was none in 90 days.'),
  test: instant().nullable().describe('Time of the last event of the test mode; null if there was none in 90 days.'),
});
export type LastEvents = z.infer<typeof LastEvents>;
