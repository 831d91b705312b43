import type { UniqueIndexes } from '../platform/errors/constraints.ts';
import { IDENTITY_REASONS } from './reasons.ts';

/** The errors for violations of the unique indexes of identity's tables. */
export const IDENTITY_CONSTRAINTS = {
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
} satisfies UniqueIndexes;
