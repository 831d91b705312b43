import { z } from 'zod';
import { ROLES } from '../../platform/access/permissions.ts';
import { currencyCode, id, instant } from '../../platform/wire/scalars.ts';

export const CallerRecord = z
  .object({
    kind: z.enum(['api_key', 'session']).describe('`api_key`, or `session` for a signed-in person.'),
    id: z.string().describe('ID of the API key or the person.').meta({ example: 'key_01k9v7m3q8e2t4r6w8y0a1b2c3' }),
    name: z.string().describe('Name of the API key or the person.').meta({ example: 'Order system' }),
    account_id: id('account'),
    livemode: z
      .boolean()
      .nullable()
      .describe(
        'The mode of an API key. `false` for every caller in test mode; `null` for a person, or a key without a mode, otherwise.',
      ),
    account: z
      .object({
        name: z.string().meta({ example: 'The Shop' }),
        currency: currencyCode(),
        time_zone: z.string().meta({ example: 'Europe/Berlin' }),
      })
      .describe('The account that the request is about.'),
    role: z
      .enum([...ROLES, 'invitee'])
      .nullable()
      .describe('Role of the signed-in person, `invitee` for a person with a pending invitation only; `null` for an API key.'),
    permissions: z
      .array(z.string())
      .describe('The permissions of the caller on the REST APIs, without those that are not granted.')
      .meta({ example: ['v1.affiliates.read', 'settings.webhooks.read'] }),
    expires_at: instant().nullable().describe('Time at which the API key expires; `null` if it does not.'),
  })
  .meta({ id: 'Caller', description: 'The API key or the signed-in person that sends a request.' });
export type CallerRecord = z.infer<typeof CallerRecord>;
