import type { Migration } from '@mikro-orm/migrations';
import { BASELINE, Baseline } from './20261127000000_baseline.ts';

/** A migration under the name by which databases remember it. */
interface NamedMigration {
  name: string;
  class: new (...parameters: ConstructorParameters<typeof Migration>) => Migration;
}

/** Migrations in order of application. A released migration is never changed. A later migration corrects it. */
export const MIGRATIONS: NamedMigration[] = [{ name: BASELINE, class: Baseline }];
