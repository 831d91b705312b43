import { sql } from 'kysely';
import type { AuditOutcome } from '../../platform/audit-log/audit-entry.ts';
import type { PersonCtx } from '../../platform/call/context.ts';
import { toInstant } from '../../platform/time/instant.ts';

/** An event about how a person signs in. */
export interface PersonalEvent {
  userId: string;
  tool: 'sign_in' | 'profile';
  action: string;
  outcome: AuditOutcome;
  arguments: Record<string, string | null>;
  requestId: string;
}

/** Records an event about how a person signs in. Every account in which that person is a member gets an entry in its log. */
export async function recordPersonalEvent({ services }: Pick<PersonCtx, 'services'>, event: PersonalEvent): Promise<void> {
  const now = toInstant(services.clock.now());
  await sql`
    insert into audit_log (id, account_id, caller_kind, caller_id, tool, action, arguments, preview, outcome, request_id, created_at, completed_at)
    select new_id('aud', ${now}::timestamptz), account_id, 'session', user_id, ${event.tool}, ${event.action},
      ${JSON.stringify(event.arguments)}::jsonb, false, ${event.outcome}, ${event.requestId}, ${now}::timestamptz, ${now}::timestamptz
    from membership where user_id = ${event.userId}`.execute(services.database.kysely);
}
