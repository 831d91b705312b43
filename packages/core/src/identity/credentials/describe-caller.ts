import { z } from 'zod';
import { grantedOn, permissionsOn, ROLES } from '../../platform/access/permissions.ts';
import type { Ctx } from '../../platform/call/context.ts';
import { foundOrThrow } from '../../platform/call/records.ts';
import { isTestAccount, liveAccountOf } from '../../platform/call/test-account-id.ts';
import { oneOf } from '../../platform/db/conditions.ts';
import { DomainError } from '../../platform/errors/errors.ts';
import { currencyCode, id, instant } from '../../platform/wire/scalars.ts';

/**
 * Returns the id of the person who acts: the signed-in one, or the maker of the key or the connector. Null for keys that the operator of the
 * installation made, and for the service itself.
 */
export async function personBehind({ db, principal }: Pick<Ctx, 'db' | 'principal'>): Promise<string | null> {
  if (principal.kind === 'session') return principal.user_id;
  if (principal.kind !== 'api_key' && principal.kind !== 'connector') return null;
  const credential = db.selectFrom(principal.kind).select('created_by').where('account_id', '=', principal.account_id);
  return (await credential.where('id', '=', principal.id).executeTakeFirst())?.created_by ?? null;
}

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

/**
 * Returns the caller with their permissions.
 *
 * @throws FORBIDDEN for callers other than API keys and signed-in people, who have other ways to learn who they are
 */
export async function describeCaller({ db, principal, surface }: Ctx): Promise<CallerRecord> {
  const { account_id } = principal;
  const account = await db
    .selectFrom('account')
    .select(['name', 'currency', 'time_zone'])
    .where('id', '=', account_id)
    .executeTakeFirstOrThrow();
  if (principal.kind === 'session') {
    const { user_id: id, role } = principal;
    const person = await db.selectFrom('auth_user').select('name').where('id', '=', id).executeTakeFirst();
    const { name } = foundOrThrow(person, 'user');
    const livemode = isTestAccount(account_id) ? false : null;
    return {
      kind: 'session',
      id,
      name,
      account_id,
      livemode,
      account,
      role,
      permissions: permissionsOn(surface, role),
      expires_at: null,
    };
  }
  if (principal.kind !== 'api_key') throw new DomainError('FORBIDDEN');
  const { id } = principal;
  const key = await db
    .selectFrom('api_key')
    .select(['name', 'expires_at'])
    .where(oneOf('account_id', [account_id, liveAccountOf(account_id)]))
    .where('id', '=', id)
    .executeTakeFirst();
  const livemode = isTestAccount(account_id) ? false : (principal.livemode ?? null);
  const { name, expires_at } = foundOrThrow(key, 'API key');
  const permissions = grantedOn('v1', principal.permissions);
  return { kind: 'api_key', id, name, account_id, livemode, account, role: null, permissions, expires_at };
}
