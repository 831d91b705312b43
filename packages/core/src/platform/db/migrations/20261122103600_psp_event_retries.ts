import { IndexMigration, OnlineMigration } from './online-migration.ts';

/**
 * Adds columns about the attempts to apply an event of the payment provider: the number of attempts, the time of the
 * next attempt, and the time at which the service gave up.
 */
export class PspEventRetries extends OnlineMigration {
  readonly statements = [
    `alter table psp_event add column attempts integer not null default 0, add column next_attempt_at timestamptz(3),
      add column gave_up_at timestamptz(3)`,
  ];
}

/** Adds the index for the sweep that retries events. In older rows, `next_attempt_at` is null. */
export class DuePspEvents extends IndexMigration {
  readonly indexes = {
    psp_event_due: `on psp_event ((coalesce(next_attempt_at, received_at))) where state = 'pending' and gave_up_at is null`,
  };
}
