import type { ColumnType, Generated } from 'kysely';
import type { Language } from '../../platform/texts/texts.ts';
import type { Instant } from '../../platform/time/instant.ts';
import type { PortalAccessKind } from '../entry/portal-access.tables.ts';
import type { Answer } from './questions.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    application: ApplicationTable;
    affiliate_application: AffiliateApplicationTable;
    program_terms: ProgramTermsTable;
    terms_acceptance: TermsAcceptanceTable;
  }
}

/** An application whose email address is not confirmed yet. Confirming the address creates an affiliate and deletes this row. */
interface ApplicationTable {
  id: string;
  account_id: string;
  campaign_id: string;
  email: string;
  first_name: string | null;
  last_name: string | null;
  terms_version: number | null;
  answers: ColumnType<Answer[], string>;
  client_address: string;
  token_hash: string;
  /** True if the emailed link leads to the merchant's own host name, where the merchant may read it. */
  on_portal_host: boolean;
  /** Language of the page on which the application was filled in. */
  language: Generated<Language | null>;
  /** Token that the applicant has chosen for the first link. */
  link_code: Generated<string | null>;
  expires_at: Instant;
  created_at: Instant;
}

/** An affiliate's application: the answers to the account's questions, and the merchant's note. */
interface AffiliateApplicationTable {
  affiliate_id: string;
  account_id: string;
  answers: ColumnType<Answer[], string, never>;
  note: string | null;
  /** Language of the page on which the application was filled in. */
  language: Generated<Language | null>;
  /** Token that the applicant has chosen for the first link. */
  link_code: Generated<string | null>;
  applied_at: Instant;
  decided_at: Instant | null;
}

/** A version of the terms of an account's program. Versions are never changed. */
interface ProgramTermsTable {
  account_id: string;
  version: number;
  body: string;
  body_hash: string;
  published_at: Instant;
}

/** Proof that an affiliate has accepted a version of the terms. */
interface TermsAcceptanceTable {
  affiliate_id: string;
  version: number;
  account_id: string;
  body_hash: string;
  client_address: string;
  accepted_at: Instant;
  /** With the application, after a sign-in, or in a portal that was opened in this way. */
  accepted_in: 'application' | 'session' | PortalAccessKind;
}
