import type { Ctx, WriteCtx } from '../../platform/call/context.ts';
import { invalid, notFound } from '../../platform/errors/errors.ts';
import { countAttempt } from '../../identity/auth-library/attempts.ts';
import type { PortalHost } from './portal-host.schema.ts';
import { ownerRecord } from './portal-hosts.ts';

/** Checks that an account asks for in an hour, of the same or of other hosts: each is a request to a server of somebody else. */
const PER_ACCOUNT = { max: 30, windowSeconds: 3_600 };

/** Counts a check outside the transaction that asks for it. Throws RATE_LIMITED. */
export function countHostCheck({ services, accountId }: Pick<Ctx, 'services' | 'accountId'>): Promise<void> {
  return countAttempt(services, `portal host checks of ${accountId}`, PER_ACCOUNT);
}

/** The portal host of the account, with what its last check found. */
export async function getPortalHost({ db, accountId }: Ctx): Promise<PortalHost | null> {
  const row = await db
    .selectFrom('portal_host')
    .select(['host', 'verified_at', 'failure', 'failing_since'])
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row ? { ...row, record: ownerRecord(row.host, accountId) } : null;
}

/**
 * Names the host of the portal, or with null none. A worker checks it soon; until then nothing changes for affiliates. The same host again
 * keeps its state.
 *
 * @throws VALIDATION_ERROR for the service's own name and the names below it
 */
export async function setPortalHost(ctx: WriteCtx, host: string | null): Promise<void> {
  const { hostname } = new URL(ctx.services.publicUrl);
  if (host === hostname || host?.endsWith(`.${hostname}`))
    throw invalid('portal_host', 'This is a name of the service. Enter a host name of your own.', 'reserved');
  const present = await getPortalHost(ctx);
  if (host === (present?.host ?? null)) return;
  await ctx.db.deleteFrom('portal_host').where('account_id', '=', ctx.accountId).execute();
  if (host === null) return;
  await ctx.db
    .insertInto('portal_host')
    .values({
      account_id: ctx.accountId,
      host,
      verified_at: null,
      failure: null,
      failing_since: null,
      check_at: ctx.now,
      created_at: ctx.now,
    })
    .execute();
}

/** Has the host checked soon. Throws NOT_FOUND when there is none. */
export async function requestCheck(ctx: WriteCtx): Promise<void> {
  const { numUpdatedRows } = await ctx.db
    .updateTable('portal_host')
    .set({ check_at: ctx.now })
    .where('account_id', '=', ctx.accountId)
    .executeTakeFirst();
  if (Number(numUpdatedRows) === 0) throw notFound('portal host');
}
