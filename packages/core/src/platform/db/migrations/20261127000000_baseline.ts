import { createHash } from 'node:crypto';
import { CODES } from './baseline/codes.ts';
import { IDENTITY } from './baseline/identity.ts';
import { IMPORTS } from './baseline/imports.ts';
import { INTAKE } from './baseline/intake.ts';
import { LEDGER } from './baseline/ledger.ts';
import { PAYOUTS } from './baseline/payouts.ts';
import { PLATFORM_FUNCTIONS, PLATFORM_TABLES } from './baseline/platform.ts';
import { PORTAL } from './baseline/portal.ts';
import { PROGRAM } from './baseline/program.ts';
import { REPORTS } from './baseline/reports.ts';
import { REWARDS } from './baseline/rewards.ts';
import { SOURCES } from './baseline/sources.ts';
import { WEBHOOKS } from './baseline/webhooks.ts';
import { OnlineMigration } from './online-migration.ts';

const STATEMENTS = [
  ...PLATFORM_FUNCTIONS,
  ...IDENTITY,
  ...PLATFORM_TABLES,
  ...WEBHOOKS,
  ...PROGRAM,
  ...SOURCES,
  ...CODES,
  ...REWARDS,
  ...LEDGER,
  ...PAYOUTS,
  ...INTAKE,
  ...REPORTS,
  ...PORTAL,
  ...IMPORTS,
];

/**
 * The name by which databases remember the baseline. Until the first release, the name depends on the statements, so that a database of an earlier edit
 * is refused instead of failing later (`compareSchema`). The first release freezes both: its name is `20261127000000_baseline`.
 */
export const BASELINE = `20261127000000_unreleased_${createHash('sha256').update(STATEMENTS.join(';\n')).digest('hex').slice(0, 8)}`;

/**
 * Creates the schema, room by room. A room's tables reference tables of lower rooms only.
 *
 * Conventions: ids are TypeIDs in `text collate "C"`, so that their order is the order of creation; money is `bigint` in the currency's minor unit;
 * instants are `timestamptz(3)`. Indexes for lists hold `(account_id, …, id)`. They contain no column that bulk work changes, unless a list is
 * filtered by that column.
 */
export class Baseline extends OnlineMigration {
  override readonly statements = STATEMENTS;
}
