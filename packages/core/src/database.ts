import { ATTRIBUTION } from './attribution/declarations.ts';
import { CODES } from './codes/declarations.ts';
import { ANNOUNCED } from './event-catalog.ts';
import { IDENTITY } from './identity/declarations.ts';
import { IMPORTS } from './imports/declarations.ts';
import { INTAKE } from './intake/declarations.ts';
import { LEDGER } from './ledger/declarations.ts';
import { LOCK_ORDER } from './lock-order.ts';
import { PAYOUTS } from './payouts/declarations.ts';
import { Database, type DatabaseOptions } from './platform/db/database.ts';
import { PLATFORM } from './platform/declarations.ts';
import { Constraints } from './platform/errors/constraints.ts';
import type { JobKindProperties, JobKinds } from './platform/jobs/jobs.ts';
import type { Room } from './platform/room.ts';
import type { RecordKind } from './platform/wire/ids.ts';
import { PORTAL } from './portal/declarations.ts';
import { PRIVACY } from './privacy/declarations.ts';
import { PROGRAM } from './program/declarations.ts';
import { REPORTS } from './reports/declarations.ts';
import { REWARDS } from './rewards/declarations.ts';
import { SOURCES } from './sources/declarations.ts';
import { WEBHOOKS } from './webhooks/declarations.ts';
import { announcerOf } from './webhooks/events/announce.ts';

/** The declarations of all rooms. */
const ROOMS: readonly Room[] = [
  ATTRIBUTION,
  CODES,
  IDENTITY,
  IMPORTS,
  INTAKE,
  LEDGER,
  PAYOUTS,
  PLATFORM,
  PORTAL,
  PRIVACY,
  PROGRAM,
  REPORTS,
  REWARDS,
  SOURCES,
  WEBHOOKS,
];

/** All entities of the ORM. */
export const ENTITIES = ROOMS.flatMap(({ entities = [] }) => entities);

/** The errors for violations of all unique indexes. */
export const CONSTRAINTS = new Constraints(
  ROOMS.map(({ uniqueIndexes = {} }) => uniqueIndexes),
  ROOMS.flatMap(({ raced = [] }) => raced),
);

/** The kinds of jobs of all rooms. */
export const JOB_KINDS: Readonly<Record<keyof JobKinds, JobKindProperties>> = {
  ...ATTRIBUTION.jobs,
  ...IDENTITY.jobs,
  ...IMPORTS.jobs,
  ...INTAKE.jobs,
  ...LEDGER.jobs,
  ...PAYOUTS.jobs,
  ...PLATFORM.jobs,
  ...PORTAL.jobs,
  ...PRIVACY.jobs,
  ...WEBHOOKS.jobs,
};

/** Returns the table of a kind of record and the names of its columns, or null if the kind has no entity. */
export function tableOfKind(kind: RecordKind): { name: string; columns: ReadonlySet<string> } | null {
  const name = ROOMS.find(({ named }) => named?.[kind] !== undefined)?.named?.[kind] ?? kind;
  const entity = ENTITIES.find(({ tableName }) => tableName === name);
  return entity ? { name, columns: new Set(Object.keys(entity.meta.properties)) } : null;
}

/** Opens the connections to PostgreSQL, with the declarations of all rooms, without migrating. Connects at the first statement. */
export function openDatabase(options: DatabaseOptions): Promise<Database> {
  return Promise.resolve(
    new Database(options, {
      entities: ENTITIES,
      constraints: CONSTRAINTS,
      announcer: announcerOf(ANNOUNCED),
      tables: ROOMS,
      lockOrder: LOCK_ORDER,
    }),
  );
}
