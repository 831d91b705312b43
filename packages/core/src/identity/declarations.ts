import type { Room } from '../platform/room.ts';
import { IDENTITY_REASONS } from './reasons.ts';

/** The declarations of the room `identity`. */
export const IDENTITY = {
  named: { api_request: 'api_request', connector: 'connector' },
  // Checking a key for each row costs too much. Rows that are written during the deletion of the account are removed when they expire.
  unkeyed: ['api_request'],
  people: {
    account: 'The names and the address are those of a merchant.',
    api_key: 'The name is that of a program.',
    connector: 'The name is that of a program. The user is a member.',
    membership: 'The user is a member.',
    member_mail_choice: 'The user is a member.',
    ...Object.fromEntries(
      [
        'auth_user',
        'auth_credential',
        'auth_second_factor',
        'auth_session',
        'auth_verification',
        'sign_in_link',
        'password_reset_request',
        'oauth_access_token',
        'oauth_client',
        'oauth_consent',
        'oauth_refresh_token',
      ].map((table) => [
        table,
        'About a user, who may have other roles. The erasure of an affiliate deletes a user without any.',
      ]),
    ),
    oauth_resource: 'The name is that of a service.',
  },
  uniqueIndexes: {
    auth_user_email: { field: 'email', message: IDENTITY_REASONS.email_of_other_user },
    portal_host_pkey: { message: IDENTITY_REASONS.portal_host_set_meanwhile },
    account_slug: { field: 'slug', message: IDENTITY_REASONS.slug_of_other_account },
  },
  retention: {
    api_request: { idsOf: 'api_request', days: 7 },
    auth_attempt: { key: ['key'], since: 'window_ends_at' },
    auth_session: {},
    auth_verification: {},
    oauth_access_token: {},
    oauth_refresh_token: {},
    // A client to which nobody has consented within a day is abandoned.
    oauth_client: {
      since: 'created_at',
      days: 1,
      when: 'not exists (select from connector where connector.oauth_client_id = oauth_client.client_id)',
    },
    password_reset_request: {},
    sign_in_link: { key: ['token_hash'] },
  },
  jobs: {
    /** Writes requested emails with links to sign in or to reset a password. */
    mailed_links: {},
    /** Writes requested emails with links to a portal. */
    portal_links: {},
  },
} satisfies Room;

type Declared = (typeof IDENTITY)['jobs'];

declare module '../platform/jobs/jobs.ts' {
  interface JobKinds extends Declared {}
}
