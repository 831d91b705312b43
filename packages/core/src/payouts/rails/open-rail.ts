import { defineEntity, p } from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx, Services } from '../../platform/call/context.ts';
import { instant, recordColumns, type Row } from '../../platform/db/columns.ts';
import type { Db } from '../../platform/db/database.ts';
import { invalid } from '../../platform/errors/errors.ts';
import { type Instant, plusMilliseconds } from '../../platform/time/instant.ts';
import { ownMode, type ProviderMode } from '../../sources/port/port.ts';
import type { Method } from '../port/method.ts';
import type { Credentials, RailAccess } from '../port/rail.ts';
import { PAYOUT_REASONS } from '../port/reasons.ts';

export const PayoutRail = defineEntity({
  name: 'PayoutRail',
  tableName: 'payout_rail',
  properties: {
    ...recordColumns,
    /** Kind of the method whose payments go through the rail. */
    kind: p.string(),
    mode: p.string().$type<ProviderMode>(),
    /** A disconnected rail has no credentials. Connecting the same account again continues it. */
    state: p.string().$type<'connected' | 'disconnected'>(),
    /** The merchant's account at the rail. */
    provider_account_id: p.string(),
    sealed_credentials: p.string().strictNullable(),
    /** The endpoint for notices that this service created at the rail. */
    endpoint_id: p.string().strictNullable(),
    /** The secret of this endpoint. Null if the rail signs its notices in another way. */
    sealed_endpoint_secret: p.string().strictNullable(),
    /** Time until which the calls made so far use up what the rail takes (`limits.perMinute`), or until which it asked to wait. */
    paced_until: instant().strictNullable(),
    /** Why nothing is sent until a person has looked. Null if nothing is wrong. */
    problem: p.string().strictNullable(),
    problem_at: instant().strictNullable(),
  },
});

/**
 * A merchant's account at a rail. A payment keeps the rail through which it was first sent: through another account, its key would protect nothing, and
 * it could be paid twice.
 */
export type PayoutRail = Row<typeof PayoutRail>;

declare module '../../platform/db/tables.ts' {
  interface Tables {
    payout_rail: InferKyselyTable<typeof PayoutRail>;
  }
}

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
  { kind, accounts, paidBy }: Pick<Method, 'kind' | 'accounts' | 'paidBy'>,
): Promise<boolean> {
  return (!accounts && !paidBy) || (await findRailFor(ctx, paidBy ?? kind, ownMode(ctx.accountId))) !== null;
}

/**
 * Returns the account from which a method pays now, or null if it needs none.
 *
 * @param path the input field that the error names
 * @throws VALIDATION_ERROR if no account is connected in the mode
 */
export async function getPayer(
  ctx: Pick<Ctx, 'db' | 'accountId'>,
  { kind, accounts }: Pick<Method, 'kind' | 'accounts'>,
  mode: ProviderMode,
  path: string,
): Promise<ConnectedRail | null> {
  if (!accounts) return null;
  const rail = await findRailFor(ctx, kind, mode);
  if (rail !== null) return rail;
  throw invalid(path, PAYOUT_REASONS.rail_missing({ rail: accounts.name }), 'not_connected');
}

/** Finds a connected rail by its id, of whatever account. Returns null if it does not exist or is disconnected. */
export async function findConnectedRail(db: Db, id: string): Promise<ConnectedRail | null> {
  const row = await db.selectFrom('payout_rail').selectAll().where('id', '=', id).where(IS_CONNECTED).executeTakeFirst();
  return (row as ConnectedRail | undefined) ?? null;
}

export function accessTo({ secrets }: Pick<Services, 'secrets'>, rail: ConnectedRail): RailAccess {
  const credentials = JSON.parse(secrets.open(rail.sealed_credentials)) as Credentials;
  const secret = rail.sealed_endpoint_secret;
  return {
    mode: rail.mode,
    credentials,
    accountId: rail.provider_account_id,
    endpointId: rail.endpoint_id,
    endpointSecret: secret === null ? null : secrets.open(secret),
  };
}

const MINUTE_MS = 60_000;

/**
 * Takes a place among the calls of a rail: `perMinute` at once, and as many in each minute after. Processes share the places, because they are kept in the
 * database.
 *
 * @returns false if there is none at the moment
 */
export async function takeCall({ db, now }: Pick<Ctx, 'db' | 'now'>, id: string, perMinute: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update payout_rail set paced_until = greatest(paced_until, ${now}::timestamptz) + ${`${MINUTE_MS / perMinute} milliseconds`}::interval
    where id = ${id} and (paced_until is null or paced_until < ${plusMilliseconds(now, MINUTE_MS)}::timestamptz)`.execute(db);
  return Number(numAffectedRows) > 0;
}

/** Makes no call to a rail for the time that it asked to wait. */
export async function pauseRail({ db, now }: Pick<Ctx, 'db' | 'now'>, id: string, seconds: number): Promise<void> {
  const until: Instant = plusMilliseconds(now, MINUTE_MS + seconds * 1_000);
  await sql`update payout_rail set paced_until = greatest(paced_until, ${until}::timestamptz) where id = ${id}`.execute(db);
}

/** Stops sending through a rail until a person has looked. The first problem stays. Returns false if the rail was stopped already. */
export async function stopRail({ db, now }: Pick<Ctx, 'db' | 'now'>, id: string, problem: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('payout_rail')
    .set({ problem, problem_at: now, updated_at: now })
    .where('id', '=', id)
    .where('problem', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
