import { OnlineMigration } from './online-migration.ts';

/**
 * Stores the merchant's settings and limits with each fact when it is recorded, so that later changes apply only to
 * later facts.
 */
export class TermsOfFacts extends OnlineMigration {
  readonly statements = [
    'alter table attribution_claim add column last_click boolean, add column before_link boolean',
    'alter table sale add column limits jsonb',
  ];
}
