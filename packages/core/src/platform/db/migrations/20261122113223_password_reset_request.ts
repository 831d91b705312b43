import { OnlineMigration } from './online-migration.ts';

/** Requests for a password reset. Their mail is written by a sweep, so that the answer takes as long for unknown addresses. */
export class PasswordResetRequests extends OnlineMigration {
  readonly statements = [
    `create table password_reset_request (
      id text collate "C" primary key,
      email text not null,
      lease_until timestamptz(3) not null,
      expires_at timestamptz(3) not null
    )`,
  ];
}
