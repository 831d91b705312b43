import { z } from 'zod';
import { SessionRecord } from '../../identity/sessions/session.schema.ts';
import { id } from '../../platform/wire/scalars.ts';
import { PortalHome } from '../home/home.schema.ts';

export const PortalStart = z
  .object({
    session: SessionRecord,
    account_id: id('account')
      .nullable()
      .describe('The account that is shown: the one that the request names, or else the first where the person is active.'),
    home: PortalHome.nullable().describe(
      'The start page there; `null` for applicants, for people who are not affiliates, and when it cannot be read.',
    ),
  })
  .meta({ id: 'PortalStart', description: 'The session of a signed-in person, and the first page of the portal.' });
export type PortalStart = z.infer<typeof PortalStart>;
