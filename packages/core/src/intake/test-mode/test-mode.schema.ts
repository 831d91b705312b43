import { z } from 'zod';
import { id, instant, timestamp } from '../../platform/wire/scalars.ts';

const MAX_DAYS = 366;

export const TestClock = z
  .object({
    now: instant().describe('The time by which dates of the account’s test records are compared.'),
    ahead_seconds: z
      .int()
      .min(0)
      .describe('Seconds by which the clock is ahead of the service’s clock.')
      .meta({ example: 2_592_000 }),
  })
  .meta({ id: 'TestClock', description: 'The clock of test mode.' });
export type TestClock = z.infer<typeof TestClock>;

export const AdvanceTestClock = z
  .strictObject({
    days: z
      .int()
      .min(1)
      .max(MAX_DAYS)
      .optional()
      .describe('Days by which to move the clock forward. Required unless `to` is given.')
      .meta({ example: 30 }),
    to: timestamp()
      .optional()
      .describe(
        `Time to which to move the clock, after the time that it shows, by at most ${MAX_DAYS} days, and at most ten years ahead. Instead of \`days\`.`,
      ),
  })
  .meta({ example: { days: 30 } });
export type AdvanceTestClock = z.infer<typeof AdvanceTestClock>;

/** The greatest step of the clock. */
export const MAX_STEP_MS = MAX_DAYS * 86_400_000;
/** The greatest time by which the clock can be ahead. Without a limit, dates would leave the years that the service stores and compares. */
export const MAX_AHEAD_MS = 10 * MAX_STEP_MS;

export const DeleteTestData = z.strictObject({});

export const DeletedTestData = z
  .object({ deleted_count: z.int().min(0).describe('Number of deleted rows of the database.').meta({ example: 42 }) })
  .meta({ id: 'DeletedTestData', description: 'The result of deleting all test data.' });
export type DeletedTestData = z.infer<typeof DeletedTestData>;

export const CopyCampaigns = z.strictObject({
  dry_run: z.boolean().default(false).describe('If `true`, previews the copy without making it.'),
});
export type CopyCampaigns = z.infer<typeof CopyCampaigns>;

const CopiedCampaign = z.object({
  live_campaign_id: id('campaign').describe('The campaign in live mode.'),
  campaign_id: id('campaign').nullable().describe('The campaign in test mode. `null` in a preview of a copy.'),
  name: z.string().describe('Name of the campaign in live mode.').meta({ example: 'Friends of the shop' }),
  copied: z
    .boolean()
    .describe('`false` if test mode already had a campaign with this slug or `external_id`. That campaign does not change.'),
  rules_count: z.int().min(0).describe('Number of copied reward rules.').meta({ example: 3 }),
  tiers_count: z.int().min(0).describe('Number of copied tiers.').meta({ example: 1 }),
  left_out_rules_count: z
    .int()
    .min(0)
    .describe('Number of reward rules that are not copied because they are for one affiliate or link.')
    .meta({ example: 0 }),
  provider_ids: z
    .array(z.string())
    .describe(
      'IDs of products, prices and a coupon that the copy names. It has an effect in test mode if the provider’s test mode uses the same IDs.',
    )
    .meta({ example: ['prod_addon'] }),
});
export type CopiedCampaign = z.infer<typeof CopiedCampaign>;

export const CopiedCampaigns = z
  .object({ data: z.array(CopiedCampaign).describe('The campaigns of live mode that are not archived, oldest first.') })
  .meta({ id: 'CopiedCampaigns', description: 'The result of copying campaigns to test mode.' });
export type CopiedCampaigns = z.infer<typeof CopiedCampaigns>;
