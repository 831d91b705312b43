import { z } from 'zod';
import { instant, timestamp } from '../../platform/wire/scalars.ts';

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
