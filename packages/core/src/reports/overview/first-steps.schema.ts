import { z } from 'zod';

export const FirstSteps = z.object({
  campaign: z.boolean(),
  affiliate: z.boolean(),
  test: z
    .boolean()
    .describe('`true` if a test visit or a test sale was recorded, or a live sale, which makes a test unnecessary.'),
  tracking: z.boolean().describe('`true` if a person has followed the link of an affiliate. Test visits do not count.'),
  payment_provider: z.boolean().describe('`true` if the payment provider is connected in live mode.'),
  sale: z.boolean().describe('`true` if there is a live sale.'),
  webhook: z.boolean(),
});
export type FirstSteps = z.infer<typeof FirstSteps>;
