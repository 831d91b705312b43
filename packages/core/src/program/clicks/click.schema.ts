import { z } from 'zod';
import { id, instant } from '../../platform/wire/scalars.ts';
import { TOUCH_RULES } from '../../platform/wire/states.ts';
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

const RULES = `\`new_visitor\`: the click started the referral; \`first_click\`: the visitor kept the live referral that they had;
\`last_click\`: the campaign uses the last click, so the click started a new referral in place of the former one;
\`former_not_live\`: the visitor's former referral had expired, was deactivated, or could not earn.`.replaceAll('\n', ' ');

export const Touch = z
  .object({
    at: z.string(),
    link_id: id('link').describe('Link that was clicked. With `first_click`, it may be another affiliate’s link.'),
    affiliate_id: id('affiliate'),
    campaign_id: id('campaign'),
    rule: z.enum(TOUCH_RULES).describe(RULES),
    is_unique: z.boolean().describe('First click of the visitor on this link and day (UTC).'),
    referrer_host: z.string().nullable(),
    referrer_path: z.string().nullable(),
    landing_path: z.string().nullable(),
    utm_source: z.string().nullable(),
    utm_medium: z.string().nullable(),
    utm_campaign: z.string().nullable(),
    device: z.string().nullable(),
    browser: z.string().nullable(),
    os: z.string().nullable(),
    country: z.string().nullable(),
  })
  .meta({ id: 'Touch', description: 'A click that started this referral, or after which the visitor kept it.' });
export type Touch = z.infer<typeof Touch>;
