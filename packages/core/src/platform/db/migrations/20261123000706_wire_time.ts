import { OnlineMigration } from './online-migration.ts';

/**
 * Makes `wire_time` three times as fast by declaring it stable. PostgreSQL does not inline an immutable function whose body is only stable,
 * and `to_char` is only stable, because some of its patterns depend on session settings.
 */
export class StableWireTime extends OnlineMigration {
  readonly statements = ['alter function wire_time(timestamptz) stable'];
}
