import { type RawBuilder, sql } from 'kysely';
import type { Ctx, Services } from '../../platform/call/context.ts';
import type { Db } from '../../platform/db/database.ts';
import { ownMode } from '../../sources/connections/own-mode.ts';
import type { ProviderMode } from '../../sources/port/port.ts';
import type { Method } from '../method/method.ts';
import type { Credentials, RailAccess } from '../method/rail.ts';
import type { PayoutRail } from './payout-rail.entity.ts';

/** A rail with its credentials. */
export type ConnectedRail = PayoutRail & { sealed_credentials: string };

/** SQL condition: the rail has its credentials. */
export const IS_CONNECTED: RawBuilder<boolean> = sql<boolean>`payout_rail.state = 'connected'`;

/** Address for the notices of a rail. */
export function railUrl({ publicUrl }: Pick<Services, 'publicUrl'>, id: string): string {
  return `${publicUrl}/rails/${id}/events`;
}

/** Returns the mode in which the rail of a payment has to be connected. */
export function modeOfPayment(accountId: string, { livemode }: { livemode: boolean }): ProviderMode {
  return livemode ? ownMode(accountId) : 'test';
}

/** Finds the rail through which new payments of a kind go, or null. */
export async function findRailFor(
  { db, accountId }: Pick<Ctx, 'db' | 'accountId'>,
  kind: string,
  mode: ProviderMode,
): Promise<ConnectedRail | null> {
  const rails = db.selectFrom('payout_rail').selectAll().where('account_id', '=', accountId).where('kind', '=', kind);
  const row = await rails.where('mode', '=', mode).where(IS_CONNECTED).executeTakeFirst();
  return (row as ConnectedRail | undefined) ?? null;
}

/** True if a method needs no account, or the account from which it pays is connected. */
export async function isUsable(
  ctx: Pick<Ctx, 'db' | 'accountId'>,
  { kind, accounts }: Pick<Method, 'kind' | 'accounts'>,
): Promise<boolean> {
  return !accounts || (await findRailFor(ctx, kind, ownMode(ctx.accountId))) !== null;
}

/** Finds a connected rail by its id, of whatever account. Returns null if it does not exist or is disconnected. */
export async function findConnectedRail(db: Db, id: string): Promise<ConnectedRail | null> {
  const row = await db.selectFrom('payout_rail').selectAll().where('id', '=', id).where(IS_CONNECTED).executeTakeFirst();
  return (row as ConnectedRail | undefined) ?? null;
}

export function accessTo({ secrets }: Pick<Services, 'secrets'>, rail: ConnectedRail): RailAccess {
  const credentials = JSON.parse(secrets.open(rail.sealed_credentials)) as Credentials;
  return { mode: rail.mode, credentials, endpointId: rail.endpoint_id };
}

/** Stops sending through a rail until a person has looked. The first problem stays. */
export async function stopRail({ db, now }: Pick<Ctx, 'db' | 'now'>, id: string, problem: string): Promise<void> {
  await db
    .updateTable('payout_rail')
    .set({ problem, problem_at: now, updated_at: now })
    .where('id', '=', id)
    .where('problem', 'is', null)
    .execute();
}
