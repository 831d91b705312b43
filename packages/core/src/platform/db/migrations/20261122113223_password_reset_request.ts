import { OnlineMigration } from './online-migration.ts';

/**
 * Adds requests for a password reset. A sweep writes their emails later, so that the response to an unknown address takes as
 * long as any other.
 */
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
