import { OnlineMigration } from './online-migration.ts';

/** The time from which an account is closed to members without a second factor (docs/domain-rules.md#required-second-factor). */
export class RequiredSecondFactor extends OnlineMigration {
  override readonly statements = ['alter table account add column second_factor_required_from timestamptz(3)'];
}
