import { IndexMigration, OnlineMigration } from './online-migration.ts';

/** Attempts to apply an event of the payment provider, the next one, and when the service gave up. */
export class PspEventRetries extends OnlineMigration {
  readonly statements = [
    `alter table psp_event add column attempts integer not null default 0, add column next_attempt_at timestamptz(3),
      add column gave_up_at timestamptz(3)`,
  ];
}

/** For the sweep of events that are due for another attempt. Older rows have no time of the next attempt. */
export class DuePspEvents extends IndexMigration {
  readonly indexes = {
    psp_event_due: `on psp_event ((coalesce(next_attempt_at, received_at))) where state = 'pending' and gave_up_at is null`,
  };
}
