import type { RoomTables } from '../platform/room-tables.ts';

/** The identity's tables, as the platform needs to know them. */
export const IDENTITY_TABLES = {
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
} satisfies RoomTables;
