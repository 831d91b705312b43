import { z } from 'zod';
import { id, instant } from '../../platform/wire/scalars.ts';
import { BOT_REASONS } from './bots.ts';

export const ListRecentClicks = z.strictObject({}).optional();

export const RecentClicks = z.object({
  clicks: z.array(
    z.object({
      at: instant(),
      link_id: id('link'),
      token: z.string().nullable().describe('Null for a link that was deleted.'),
      referral_id: id('referral').nullable(),
      bot_reason: z.enum(BOT_REASONS).nullable().describe('Reason why the request was not made by a person; null for a person.'),
      landing_path: z.string().nullable(),
      referrer_host: z.string().nullable(),
      device: z.string().nullable(),
      browser: z.string().nullable(),
      country: z.string().nullable(),
    }),
  ),
});
export type RecentClicks = z.infer<typeof RecentClicks>;
