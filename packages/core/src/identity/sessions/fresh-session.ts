import { sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';
import { DomainError } from '../../platform/errors/errors.ts';
import { IDENTITY_REASONS } from '../reasons.ts';

/** Minutes for which a sign-in, with its second factor if the person has one, suffices for what matters most. */
export const FRESH_MINUTES = 15;

/**
 * Throws FORBIDDEN (`sign_in_again`) unless the session began within the last `FRESH_MINUTES`. The age of a session is measured by the database's clock,
 * because the library takes a session's time of creation from the system clock, and the service's own clock may differ.
 */
export async function assertFreshSession(db: Db, sessionId: string): Promise<void> {
  const { rows } = await sql`
    select from auth_session
    where id = ${sessionId} and created_at > now() - make_interval(mins => ${FRESH_MINUTES})`.execute(db);
  if (rows.length === 0) throw signInAgain();
}

export function signInAgain(): DomainError {
  return new DomainError('FORBIDDEN', IDENTITY_REASONS.sign_in_again, { reason: 'sign_in_again' });
}
