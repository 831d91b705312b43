/** A shadow: an account that moves in while a former tool still decides and pays (docs/rules/imports.md#a-shadow). */
import { type RawBuilder, sql } from 'kysely';
import type { Account } from '../identity/accounts/account.entity.ts';
import type { Ctx, WriteCtx } from '../platform/call/context.ts';
import { DomainError } from '../platform/errors/errors.ts';
import { readAgain } from './import.service.ts';
import { IMPORT_REASONS } from './reasons.ts';
import type { EndShadow, Shadow } from './shadow.schema.ts';

type ShadowCtx = Pick<WriteCtx, 'db' | 'accountId' | 'now' | 'records'>;

export async function getShadow({ db, accountId }: Pick<Ctx, 'db' | 'accountId'>): Promise<Shadow> {
  const { shadow, former_shadows } = await db
    .selectFrom('account')
    .select(['shadow', 'former_shadows'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  return { state: shadow, since: former_shadows.at(-1)?.until ?? null };
}

/** Makes the account a shadow: from now on, the former tool decides what sales earn. An account that is one stays as it is. */
export async function beginShadow(ctx: WriteCtx): Promise<Shadow> {
  await change(ctx, sql`shadow = 'on', former_shadows = ${former(ctx, false)}`, sql`shadow <> 'on'`);
  return getShadow(ctx);
}

/**
 * Ends the shadow: what is charged from now on earns here. With `read`, the imports then read their sources once more, so that the account has all that the
 * former tool has decided, and nothing is paid until they are done. May be called again with `skip`, if a source cannot be read any more.
 *
 * @throws CONFLICT if the account is no shadow, and with `read` if an import is at work or has no key any more
 */
export async function endShadow(ctx: WriteCtx, { imports }: EndShadow): Promise<Shadow> {
  const isEnded = await change(ctx, sql`shadow = 'ending', former_shadows = ${former(ctx, true)}`, sql`shadow = 'on'`);
  if (!isEnded && (await getShadow(ctx)).state === 'off') throw new DomainError('CONFLICT', IMPORT_REASONS.no_shadow);
  if (imports === 'skip') {
    await sql`update data_import set sealed_input = null where account_id = ${ctx.accountId} and state = 'done'`.execute(ctx.db);
    await change(ctx, sql`shadow = 'off'`, sql`shadow = 'ending'`);
  } else {
    if (isEnded) await readAll(ctx);
    await leaveShadow(ctx);
  }
  return getShadow(ctx);
}

/** Lets all imports of tools read their sources again that have made records. */
async function readAll(ctx: WriteCtx): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from data_import where account_id = ${ctx.accountId} and source <> 'csv' and state in ('reading', 'running', 'done') order by id`.execute(
    ctx.db,
  );
  for (const { id } of rows) await readAgain(ctx, id);
}

/** Lets the account pay again when its shadow has ended and its imports have read what the former tool had decided until then. */
export async function leaveShadow(ctx: ShadowCtx): Promise<void> {
  await change(
    ctx,
    sql`shadow = 'off'`,
    sql`shadow = 'ending' and not exists (
      select from data_import where account_id = ${ctx.accountId} and state in ('reading', 'running', 'failed') and runs_when_read)`,
  );
}

/** Changes the account if it meets a condition. The open payouts follow, because none of a shadow can be paid. */
async function change(
  { db, accountId, now, records }: ShadowCtx,
  to: RawBuilder<unknown>,
  condition: RawBuilder<unknown>,
): Promise<boolean> {
  const { rows } = await sql<{ shadow: Account['shadow'] }>`
    with former as (select id, shadow from account where id = ${accountId} and ${condition} for update)
    update account set ${to}, updated_at = ${now} from former where account.id = former.id returning former.shadow`.execute(db);
  for (const { shadow } of rows) records.noteChanged('account', accountId, { shadow });
  return rows.length === 1;
}

/** SQL: the former shadows with the one that ends now. */
function former({ now }: Pick<WriteCtx, 'now'>, isShadow: boolean): RawBuilder<unknown> {
  return sql`former_shadows || jsonb_build_object('until', ${now}::text, 'is_shadow', ${isShadow}::boolean)`;
}
