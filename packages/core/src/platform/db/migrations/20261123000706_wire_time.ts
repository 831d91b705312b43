import { OnlineMigration } from './online-migration.ts';

/**
 * Instants as on the wire in a third of the time. PostgreSQL inlines a stable function, but not an immutable one whose body is stable. That of
 * `wire_time` is: `to_char` is declared stable, because some of its patterns depend on settings of the session.
 */
export class StableWireTime extends OnlineMigration {
  readonly statements = ['alter function wire_time(timestamptz) stable'];
}
