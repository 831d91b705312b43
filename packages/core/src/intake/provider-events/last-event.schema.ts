import { z } from 'zod';
import { instant } from '../../platform/wire/scalars.ts';

export const LastEvents = z.object({
  live: instant().nullable().describe('Time of the last live event; null if there was none in 90 days.'),
  test: instant().nullable().describe('Time of the last event of the test mode; null if there was none in 90 days.'),
});
export type LastEvents = z.infer<typeof LastEvents>;
