import { OnlineMigration } from './online-migration.ts';

/** Adds the time at which a session was last used (docs/domain-rules.md#sessions). */
export class SessionUse extends OnlineMigration {
  override readonly statements = ['alter table auth_session add column last_seen_at timestamptz(3)'];
}
