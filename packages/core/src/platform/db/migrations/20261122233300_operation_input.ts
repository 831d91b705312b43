import { OnlineMigration } from './online-migration.ts';

/** Stores the input of an operation at the payment provider, so that members can finish the operation on the pages. */
export class OperationInputs extends OnlineMigration {
  readonly statements = ['alter table psp_operation add column input jsonb'];
}
