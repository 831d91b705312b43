import { sql } from 'kysely';
import type { z } from 'zod';
import type { Principal, Services, Visitor } from '../../platform/call/context.ts';
import { accountInMode } from '../../platform/call/mode.ts';
import { liveAccountOf } from '../../platform/call/test-account-id.ts';
import { DomainError } from '../../platform/errors/errors.ts';
import { plusMilliseconds, toInstant } from '../../platform/time/instant.ts';
import { signedIn } from '../../platform/trpc/trpc.ts';
import { authOf } from '../auth-library/ask-library.ts';
import { assertHasRequiredFactor, secondFactorRequired } from '../credentials/required-second-factor.ts';
import { membershipIn } from '../members/memberships.ts';
import { IDENTITY_REASONS } from '../reasons.ts';
import { opensAccount } from '../test-accounts/test-account.ts';

/**
 * Declares a procedure in which a signed-in person acts on the account named in the input. The procedure opens its own transactions and must
 * itself check whether the person is a member.
 *
 * @throws SECOND_FACTOR_REQUIRED while the account is closed to the person (docs/rules/identity.md#required-second-factor)
 */
export function signedInAbout<Input extends z.ZodObject<{ account_id: z.ZodType<string> }>>(input: Input) {
  return signedIn()
    .input(input)
    .use(async ({ ctx, input: { account_id }, next }) => {
      const { database, clock } = ctx.services;
      await assertHasRequiredFactor(database.kysely, account_id, ctx.session.user_id, toInstant(clock.now()));
      return next();
    });
}

/**
 * Finds the caller of a request without an API key, and the account of the request: the one that the request names, otherwise the session's active
 * one. A caller who may not use the account becomes a visitor, whom account-scoped procedures refuse: UNAUTHORIZED when not signed in,
 * MISSING_ACCOUNT_ID without an account, FORBIDDEN when not a member of the account (whether or not it exists), and SECOND_FACTOR_REQUIRED for a
 * member who must set up a second factor first.
 *
 * @param cookie the request's Cookie header
 * @param accountId the account that the request names, if any
 * @param onRenewed called with the new cookies when the session is renewed, about once a day
 * @param livemode the mode that the request names: `false` chooses the test account
 * @throws VALIDATION_ERROR if account and mode contradict each other
 */
export async function callerOfSession(
  services: Services,
  cookie: string | undefined,
  accountId: string | null,
  onRenewed: (setCookies: string[]) => void,
  livemode?: boolean,
): Promise<Extract<Principal, { kind: 'session' }> | Visitor> {
  const session = cookie === undefined ? null : await findSession(services, cookie, onRenewed);
  if (!session) return { kind: 'visitor', session: null, account_id: null, refusal: unauthorized() };
  const { id, user_id, active_account_id } = session;
  const chosen = accountId ?? active_account_id;
  if (chosen === null) {
    const refusal = new DomainError('MISSING_ACCOUNT_ID');
    return { kind: 'visitor', session: { id, user_id }, account_id: null, refusal };
  }
  const account_id = accountInMode(chosen, livemode);
  const live = liveAccountOf(account_id);
  const membership = await membershipIn(services.database.kysely, live, user_id, toInstant(services.clock.now()));
  if (membership === null || membership.lacks_second_factor) {
    const refusal = membership ? secondFactorRequired() : new DomainError('FORBIDDEN', IDENTITY_REASONS.no_member);
    return { kind: 'visitor', session: { id, user_id }, account_id, refusal };
  }
  await opensAccount(services, live, account_id);
  return { kind: 'session', id, user_id, account_id, role: membership.role };
}

function unauthorized(): DomainError {
  return new DomainError('UNAUTHORIZED', IDENTITY_REASONS.credential_missing);
}

async function findSession(services: Services, cookie: string, onRenewed: (setCookies: string[]) => void) {
  const auth = await authOf(services);
  const answer = await auth.api.getSession({ headers: new Headers({ cookie }), returnHeaders: true });
  const found = answer.response;
  if (!found) return null;
  const setCookies = answer.headers.getSetCookie();
  if (setCookies.length > 0) onRenewed(setCookies);
  await noteUse(services, found.session.id, found.session.lastSeenAt ?? found.session.createdAt);
  return { id: found.session.id, user_id: found.user.id, active_account_id: found.session.activeAccountId ?? null };
}

/** Precision of `last_seen_at`. With a higher precision, every request would cause a write. */
const SEEN_MS = 10 * 60_000;

/**
 * Records that a session is in use. Of several concurrent requests, only one writes, and the others do not wait for it. Never throws, because
 * the request can be answered even if the database is read-only.
 */
async function noteUse({ database, clock, log }: Services, id: string, lastSeen: Date): Promise<void> {
  const now = clock.now();
  if (now.getTime() - lastSeen.getTime() < SEEN_MS) return;
  try {
    const stale = plusMilliseconds(toInstant(now), -SEEN_MS);
    await sql`
      update auth_session set last_seen_at = ${toInstant(now)}::timestamptz
      where id = (
        select id from auth_session
        where id = ${id} and (last_seen_at is null or last_seen_at <= ${stale}::timestamptz)
        for no key update skip locked
      )`.execute(database.kysely);
  } catch (error) {
    log.warn({ err: error, session: id }, 'the time at which a session was last used could not be stored');
  }
}
