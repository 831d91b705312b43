import { OnlineMigration } from './online-migration.ts';

/**
 * Adds a check value by which a process detects a wrong SECRET_KEY. The first process to open the database writes it.
 */
export class SecretKeyCheck extends OnlineMigration {
  readonly statements = [
    `create table secret_key_check (
      id boolean primary key default true check (id),
      value text not null,
      set_at timestamptz(3) not null
    )`,
  ];
}
