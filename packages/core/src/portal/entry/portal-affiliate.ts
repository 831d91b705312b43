import { type RawBuilder, sql } from 'kysely';
import { IS_PERSON } from '../../identity/affiliations/affiliations.ts';
import { carryDebts } from '../../ledger/earning/carry-debts.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { confirmWrites, foundOrThrow, lock, save } from '../../platform/call/records.ts';
import { sameText } from '../../platform/db/conditions.ts';
import type { Db } from '../../platform/db/database.ts';
import { isViolationOf, LostRace } from '../../platform/errors/constraints.ts';
import { invalid } from '../../platform/errors/errors.ts';
import { Affiliate } from '../../program/affiliates/affiliate.entity.ts';
import { createAffiliate } from '../../program/affiliates/affiliate.service.ts';
import type { CreateAffiliate } from '../../program/affiliates/affiliate.ts';
import { giveFirstLink } from '../../program/links/link.service.ts';
import { PORTAL_REASONS } from '../reasons.ts';
import type { NamedAffiliate } from './portal-access.schema.ts';

/** SQL condition: the person who is the affiliate has a second factor. Needs the table `affiliate`. */
export const HAS_SECOND_FACTOR: RawBuilder<boolean> = sql`exists (
  select from auth_user where auth_user.has_second_factor and ${IS_PERSON})`;

/** True if the affiliate's user has a second factor. In this case, emailed links do not open the portal. */
export async function hasSecondFactor(db: Db, affiliateId: string): Promise<boolean> {
  const { rows } = await sql`select from affiliate where id = ${affiliateId} and ${HAS_SECOND_FACTOR}`.execute(db);
  return rows.length > 0;
}

type Found = Pick<Affiliate, 'id' | 'state' | 'archived_at'>;

/** Throws NOT_FOUND for an unknown affiliate, and VALIDATION_ERROR for an affiliate without access to the portal. */
export async function assertAccess(ctx: WriteCtx, id: string): Promise<void> {
  assertHasPortal(foundOrThrow(await find(ctx, sql`id = ${id}`), 'affiliate'), 'id');
}

/**
 * Returns the id of the affiliate with the given `external_id` or, if there is none, with the given email address. An affiliate found by
 * address gets the `external_id`. If none is found, creates an active affiliate with a first link (docs/rules/portal.md#portal-links).
 *
 * @throws VALIDATION_ERROR, including for an affiliate without access to the portal
 */
export async function affiliateOnFirstUse(ctx: WriteCtx, { email, external_id, ...fields }: NamedAffiliate): Promise<string> {
  const byId = external_id === undefined ? undefined : await findPresent(ctx, sql`external_id = ${external_id}`);
  if (byId) return assertHasPortal(byId, 'external_id');
  if (email === undefined)
    throw invalid(
      'email',
      external_id === undefined ? PORTAL_REASONS.affiliate_unnamed : PORTAL_REASONS.email_required_for_new_affiliate,
      'required',
    );
  const byEmail = await findPresent(ctx, sameText('email', email));
  if (!byEmail) return createActive(ctx, { email, ...(external_id === undefined ? {} : { external_id }), ...fields });
  if (external_id !== undefined) await giveExternalId(ctx, byEmail.id, external_id);
  return assertHasPortal(byEmail, 'email');
}

/**
 * Creates an active affiliate with a first link. Throws LostRace when a concurrent request has created the same affiliate, e.g. because an
 * application opens several frames at once.
 */
async function createActive(ctx: WriteCtx, input: CreateAffiliate): Promise<string> {
  return unlessTaken(async () => {
    const affiliate = await createAffiliate(ctx, { ...input, state: 'active' }, carryDebts);
    // This call is also inside `unlessTaken`, because a violation caused by the insert may be reported only by a later statement.
    await giveFirstLink(ctx, affiliate);
    return affiliate.id;
  });
}

async function giveExternalId(ctx: WriteCtx, id: string, external_id: string): Promise<void> {
  const affiliate = await lock(ctx, Affiliate, id);
  if (affiliate.external_id === external_id) return;
  if (affiliate.external_id !== null) throw invalid('external_id', PORTAL_REASONS.external_id_contradicts_email, 'taken');
  save(ctx, Affiliate, affiliate, { external_id, updated_at: ctx.now });
  await unlessTaken(() => confirmWrites(ctx));
}

async function unlessTaken<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw ['affiliate_email', 'affiliate_external_id'].some((index) => isViolationOf(error, index)) ? new LostRace() : error;
  }
}

function assertHasPortal({ id, state, archived_at }: Found, field: 'id' | 'email' | 'external_id'): string {
  if (archived_at !== null || state === 'pending' || state === 'rejected')
    throw invalid(field, PORTAL_REASONS.affiliate_without_access, 'no_access');
  return id;
}

function findPresent(ctx: WriteCtx, condition: RawBuilder<unknown>): Promise<Found | undefined> {
  return find(ctx, sql`archived_at is null and ${condition}`);
}

function find({ db, accountId }: WriteCtx, condition: RawBuilder<unknown>): Promise<Found | undefined> {
  return db
    .selectFrom('affiliate')
    .select(['id', 'state', 'archived_at'])
    .where('account_id', '=', accountId)
    .where(sql<boolean>`${condition}`)
    .executeTakeFirst();
}
