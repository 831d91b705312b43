import type { UniqueIndexes } from '../platform/errors/constraints.ts';
import { PORTAL_REASONS } from './reasons.ts';

/** The errors for violations of the unique indexes of the portal's tables. */
export const PORTAL_CONSTRAINTS = {
  application_token: { internal: 'The token is random.' },
  program_terms_pkey: { message: PORTAL_REASONS.terms_published_meanwhile },
  terms_acceptance_pkey: { internal: 'Accepting again keeps the first proof.' },
  affiliate_application_pkey: { internal: 'Written once, with the affiliate.' },
  affiliate_notice_pkey: { internal: 'A second notice for the same occasion is not inserted.' },
  digest_progress_pkey: { internal: 'An existing row is updated.' },
  email_change_pkey: { internal: 'A second request replaces the first.' },
  email_change_former_token: { internal: 'The token is random.' },
  email_change_new_token: { internal: 'The token is random.' },
  portal_access_token: { internal: 'The token is random.' },
} satisfies UniqueIndexes;
