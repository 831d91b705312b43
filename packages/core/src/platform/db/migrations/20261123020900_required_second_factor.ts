import { OnlineMigration } from './online-migration.ts';

/**
 * Adds the time from which members without a second factor cannot use an account (docs/domain-rules.md#required-second-factor).
 */
export class RequiredSecondFactor extends OnlineMigration {
  override readonly statements = ['alter table account add column second_factor_required_from timestamptz(3)'];
}
