import { z } from 'zod';
import { id } from '../../platform/wire/scalars.ts';
import { PortalHome } from '../home/home.schema.ts';
import { SessionRecord } from '../../identity/sessions/session.ts';

export const PortalStart = z
  .object({
    session: SessionRecord,
    account_id: id('account')
      .nullable()
      .describe(
        'Account whose portal is shown: the account that the request names, otherwise the first one in which the person is active, otherwise the first one.',
      ),
    home: PortalHome.nullable().describe(
      'Start page of the portal in this account; `null` for applicants, for people who are not affiliates, and if it cannot be read.',
    ),
  })
  .meta({ id: 'PortalStart', description: 'The session of a signed-in person, and the first page of the portal.' });
export type PortalStart = z.infer<typeof PortalStart>;

export const PortalSums = z
  .object({
    data: z.array(z.object({ account_id: id('account'), account_name: z.string(), earnings: PortalHome.shape.earnings })),
  })
  .meta({ id: 'PortalSums', description: 'What a person has earned in each of their programs.' });
export type PortalSums = z.infer<typeof PortalSums>;
