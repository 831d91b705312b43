import { grantedOn, permissionsOn } from '../../platform/access/permissions.ts';
import type { Ctx } from '../../platform/call/context.ts';
import { foundOrThrow } from '../../platform/call/records.ts';
import { isTestAccount, liveAccountOf } from '../../platform/call/test-account-id.ts';
import { oneOf } from '../../platform/db/conditions.ts';
import { DomainError } from '../../platform/errors/errors.ts';
import type { CallerRecord } from './caller.schema.ts';

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
