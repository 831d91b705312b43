import { type PersonalEvent, recordPersonalEvent } from '../../platform/audit-log/audited-writes.ts';
import { clientProgramOf } from '../../platform/call/client-program.ts';
import type { Services } from '../../platform/call/context.ts';
import { toEnvelope } from '../../platform/trpc/error-envelope.ts';

type Event = Pick<PersonalEvent, 'tool' | 'action'>;

/** The entries of the audit log about how people sign in (docs/domain-rules.md#audit-log), by the path of the request. */
const EVENTS: Record<string, Event> = {
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
  /** Null when nobody is known: a refused first step does not tell whose sign-in it was. */
  userId: string | null;
  userAgent: string | undefined;
  requestId: string;
  /** The refusal, if there was one. */
  error?: unknown;
}

/**
 * Records an event after it has happened, in statements of its own, because the library keeps its transactions to itself. Never throws: the
 * person keeps the session, or the refusal, that the library has given.
 */
export async function recordSignInEvent(
  services: Services,
  { path, userId, userAgent, requestId, error }: Happened,
): Promise<void> {
  const event = EVENTS[path];
  if (!event || userId === null) return;
  const { browser, os } = clientProgramOf(userAgent);
  const outcome = error === undefined ? 'succeeded' : toEnvelope(error).body.code;
  try {
    await recordPersonalEvent({ services }, { ...event, userId, outcome, requestId, arguments: { browser, os } });
  } catch (failure) {
    services.log.error({ err: failure, user: userId, ...event, outcome }, 'an event of signing in was not recorded');
  }
}
