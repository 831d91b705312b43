import { z } from 'zod';
import { instant, timestamp } from '../platform/wire/scalars.ts';

export const Shadow = z
  .object({
    state: z
      .enum(['off', 'on', 'ending'])
      .describe(
        '`on`: the former tool decides what sales earn, nothing is paid, and affiliates get no news by email; `ending`: sales earn here, and nothing is paid until the imports have read the former tool once more; `off`: the account is no shadow.',
      ),
    since: instant()
      .nullable()
      .describe(
        'Time from which the former tool decides or, unless the state is `on`, until which it did; null if there was no shadow.',
      ),
    history: z
      .object({
        open: z.int().describe('Number of connections whose history is still being read.'),
        problem: z.string().nullable().describe('Reason why the last attempt to read one failed. It is repeated.'),
      })
      .describe('Reading of the payments since `since` at your payment providers.'),
  })
  .meta({ id: 'Shadow', description: 'The time in which your former tool still decides what sales earn.' });
export type Shadow = z.infer<typeof Shadow>;

export const BeginShadow = z.strictObject({
  since: timestamp()
    .optional()
    .describe(
      'Time from which the former tool has decided, up to 24 months ago. Your connected payment providers are then asked for all payments since, so that you can compare them. Default: now.',
    ),
});
export type BeginShadow = z.infer<typeof BeginShadow>;
export const EndShadow = z.strictObject({
  imports: z
    .enum(['read', 'skip'])
    .default('read')
    .describe('`read`: imports from tools read them once more, and nothing is paid until they have; `skip`: they do not.'),
});
export type EndShadow = z.infer<typeof EndShadow>;
