import { OnlineMigration } from './online-migration.ts';

/**
 * Adds the table of password reset requests. A sweep writes the emails later, so that response times do not reveal whether an
 * address is known.
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
