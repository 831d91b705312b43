import { IndexMigration } from './online-migration.ts';

/**
 * Adds indexes for purging expired links and requests for links. Anyone on the internet can make the service create
 * such rows, so the tables may be large.
 */
export class AgesOfLinks extends IndexMigration {
  readonly indexes = {
    auth_verification_age: 'on auth_verification (expires_at)',
    password_reset_request_age: 'on password_reset_request (expires_at)',
    sign_in_link_age: 'on sign_in_link (expires_at)',
  };
}
