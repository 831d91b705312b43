import { z } from 'zod';
import { instant } from '../platform/wire/scalars.ts';

export const Shadow = z
  .object({
    state: z
      .enum(['off', 'on', 'ending'])
      .describe(
        '`on`: the former tool decides what sales earn, nothing is paid, and affiliates get no news by email; `ending`: sales earn here, and nothing is paid until the imports have read the former tool once more; `off`: the account is no shadow.',
      ),
    since: instant()
      .nullable()
      .describe('Time at which the shadow began or, unless the state is `on`, ended; null if there was none.'),
  })
  .meta({ id: 'Shadow', description: 'The time in which your former tool still decides what sales earn.' });
export type Shadow = z.infer<typeof Shadow>;

export const BeginShadow = z.strictObject({});
export const EndShadow = z.strictObject({
  imports: z
    .enum(['read', 'skip'])
    .default('read')
    .describe('`read`: imports from tools read them once more, and nothing is paid until they have; `skip`: they do not.'),
});
export type EndShadow = z.infer<typeof EndShadow>;
