import { OnlineMigration } from './online-migration.ts';

/** The merchant's choices and limits as they were when a fact came in: later changes apply to later facts only. */
export class TermsOfFacts extends OnlineMigration {
  readonly statements = [
    'alter table attribution_claim add column last_click boolean, add column before_link boolean',
    'alter table sale add column limits jsonb',
  ];
}
