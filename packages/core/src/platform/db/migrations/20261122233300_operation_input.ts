import { OnlineMigration } from './online-migration.ts';

/** Input of an operation at the payment provider, so that members can finish it on the pages. */
export class OperationInputs extends OnlineMigration {
  readonly statements = ['alter table psp_operation add column input jsonb'];
}
