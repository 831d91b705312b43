import { IndexMigration } from './online-migration.ts';

/** Links and requests for them are purged by age. Strangers cause them, so that the tables may be large. */
export class AgesOfLinks extends IndexMigration {
  readonly indexes = {
    auth_verification_age: 'on auth_verification (expires_at)',
    password_reset_request_age: 'on password_reset_request (expires_at)',
    sign_in_link_age: 'on sign_in_link (expires_at)',
  };
}
