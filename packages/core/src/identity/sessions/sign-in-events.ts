import { sql } from 'kysely';
import { clientProgramOf } from '../../platform/call/client-program.ts';
import type { Services } from '../../platform/call/context.ts';
import { toInstant } from '../../platform/time/instant.ts';
import { toEnvelope } from '../../platform/trpc/error-envelope.ts';

/** Audit entries about signing in (docs/rules/identity.md#audit-log): their tool and action, by the path of the request. */
const EVENTS: Record<string, { tool: 'sign_in' | 'profile'; action: string }> = {
  '/sign-in/email': { tool: 'sign_in', action: 'password' },
  '/sign-in/link': { tool: 'sign_in', action: 'link' },
  '/two-factor/verify-totp': { tool: 'sign_in', action: 'second_factor' },
  '/two-factor/verify-backup-code': { tool: 'sign_in', action: 'recovery_code' },
  '/two-factor/confirm': { tool: 'profile', action: 'turn_on_second_factor' },
  '/two-factor/disable': { tool: 'profile', action: 'turn_off_second_factor' },
  '/two-factor/generate-backup-codes': { tool: 'profile', action: 'replace_recovery_codes' },
  '/change-password': { tool: 'profile', action: 'change_password' },
  '/reset-password': { tool: 'profile', action: 'reset_password' },
  '/revoke-other-sessions': { tool: 'profile', action: 'sign_out_elsewhere' },
};

interface Happened {
  path: string;
  /** Null if the user is unknown, e.g. after a sign-in with a wrong password, because the library does not say which user tried to sign in. */
  userId: string | null;
  userAgent: string | undefined;
  requestId: string;
  /** The error with which the request was refused, if any. */
  error?: unknown;
}

/**
 * Records a sign-in event after it has happened, in the audit log of every account in which the person is a member. Cannot use the library's transaction, which is not accessible. Never throws,
 * because the library has already created the session or refused the request.
 */
export async function recordSignInEvent(
  services: Services,
  { path, userId, userAgent, requestId, error }: Happened,
): Promise<void> {
  const event = EVENTS[path];
  if (!event || userId === null) return;
  const { browser, os } = clientProgramOf(userAgent);
  const outcome = error === undefined ? 'succeeded' : toEnvelope(error).body.code;
  const now = toInstant(services.clock.now());
  try {
    await sql`
      insert into audit_log (id, account_id, caller_kind, caller_id, tool, action, arguments, preview, outcome, request_id, created_at, completed_at)
      select new_id('aud', ${now}::timestamptz), account_id, 'session', user_id, ${event.tool}, ${event.action},
        ${JSON.stringify({ browser, os })}::jsonb, false, ${outcome}, ${requestId}, ${now}::timestamptz, ${now}::timestamptz
      from membership where user_id = ${userId}`.execute(services.database.kysely);
  } catch (failure) {
    services.log.error({ err: failure, user: userId, ...event, outcome }, 'a sign-in event was not recorded');
  }
}
