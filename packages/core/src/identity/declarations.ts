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
    account_logo_pkey: { internal: 'A second logo replaces the first.' },
    portal_host_pkey: { message: IDENTITY_REASONS.portal_host_set_meanwhile },
    portal_host_verified: { internal: 'The check of a host name reports a name that is taken.' },
    account_slug: { field: 'slug', message: IDENTITY_REASONS.slug_of_other_account },
    program_slug_pkey: { internal: 'An account that takes up a former slug again keeps the row.' },
    account_test_of_key: { internal: 'The test account of an account has the id made from the id of the account.' },
    member_mail_choice_pkey: { internal: 'A second choice replaces the first.' },
    member_mail_progress_pkey: { internal: 'An existing row is updated.' },
    membership_pkey: { internal: 'A person who joins again keeps one membership.' },
    api_key_secret_hash_key: { internal: 'The secret is random.' },
    connector_secret_hash_key: { internal: 'The secret is random.' },
    connector_payment_pkey: { internal: 'A payment that is counted again adds to its row.' },
    auth_second_factor_user: { internal: 'The authentication library replaces the row of a factor that is not confirmed.' },
    auth_attempt_pkey: { internal: 'Later attempts update the row of the first one.' },
    sign_in_link_pkey: { internal: 'The token is random.' },
    setup_token_pkey: { internal: 'The token is random.' },
    auth_session_token_key: { internal: 'The token is random.' },
    oauth_access_token_token_key: { internal: 'The token is random.' },
    oauth_refresh_token_token_key: { internal: 'The token is random.' },
    oauth_client_client_id_key: {
      internal: 'The client id is random, or `refreshDocumentClient` expects that the client is stored already.',
    },
    oauth_client_resource_client_id_resource_id_key: {
      internal: 'The authentication library links each client to the resource once.',
    },
    oauth_resource_identifier_key: { internal: 'A second insert of the same address does nothing.' },
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
