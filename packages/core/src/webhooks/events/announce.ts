import { type RawBuilder, sql } from 'kysely';
import type { Announcer, Announceable, RecordChange, StatedEvent } from '../../platform/db/announcer.ts';
import type { Db } from '../../platform/db/database.ts';
import { jsonObject } from '../../platform/db/json-text.ts';
import { prepared } from '../../platform/db/prepared.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { timePart } from '../../platform/wire/ids.ts';
import { type AnnouncedRecord, type Followed, CREATED } from './announced-record.ts';
import { eventsOfSource } from './emit.ts';

/**
 * Returns the announcer of these records. It makes one statement of all changes of a transaction: reads the changed records, finds the events by
 * comparing with the former values, and writes the events and their deliveries. The records are read by PostgreSQL, so changes by sets of rows cost
 * no more than changes of single records (docs/rules/webhooks.md#events).
 */
export function announcerOf(announced: readonly AnnouncedRecord[]): Announcer {
  const byTable = new Map(announced.map((record) => [record.table, record]));
  const followers = followersByTable(announced);
  const sourceOf = (db: Db, values: Values, which: Which) =>
    eventSource(
      which.tables.split(' ').flatMap((table) => byTable.get(table) ?? []),
      { db, values, which },
    );
  const writing = prepared((db: Db, values: Values, which: Which) => {
    const time = {
      at: sql`${values.at}::timestamptz`,
      text: sql`${values.at}::text`,
      idTime: sql`${values.id_time}::text`,
      actor: sql`${values.actor}::text`,
    };
    return sql<{ endpoint_id: string }>`
      with ${sourceOf(db, values, which)}, ${eventsOfSource(time)} select distinct endpoint_id from delivery`;
  });
  const previewing = prepared((db: Db, values: Values, which: Which) => {
    return sql<{ type: string; data: unknown }>`
      with ${sourceOf(db, values, which)} select type, data::json as data from source order by position`;
  });
  const change = async <Row>(
    statement: typeof writing | typeof previewing,
    db: Db,
    { at, actor }: Pick<Values, 'at' | 'actor'>,
    changes: readonly Announceable[],
  ) => {
    const found = relevant(changes, byTable, followers);
    return found === null
      ? []
      : ((await statement(db, { at, actor, id_time: timePart(new Date(at)), ...found.values }, found.which)) as Row[]);
  };
  return {
    tables: new Set(byTable.keys()),
    write: async (db, at, changes, actor) => {
      const rows = await change<{ endpoint_id: string }>(writing, db, { at, actor: JSON.stringify(actor) }, changes);
      return (jobs) => {
        if (rows.length > 0)
          jobs.send(
            'webhooks',
            rows.map(({ endpoint_id }) => endpoint_id),
          );
      };
    },
    preview: (db, at, changes) => change(previewing, db, { at, actor: '' }, changes),
  };
}

/** The changes and stated events of a transaction, as columns. */
interface Values {
  at: Instant;
  id_time: string;
  /** JSON text of who has caused the changes. */
  actor: string;
  tables: string[];
  ids: string[];
  /** The former values of each changed record, as their place in `former_values`; null for a created record. */
  formers: (number | null)[];
  /** JSON text of an array of former values. Records that a statement has changed in the same way share an element. */
  former_values: string;
  positions: number[];
  accounts: string[];
  types: string[];
  subjects: string[];
  /** JSON text of the data of each stated event. */
  data: string[];
  stated_positions: number[];
}

/** The parts that the text of the statement depends on. Most transactions need only a part of it, and PostgreSQL prepares every part before it runs. */
type Which = {
  /** The tables whose records may have events, with spaces between them. */
  tables: string;
  /** The tables whose changes other records show, with spaces between them. */
  followed: string;
  /** True if there are stated events. */
  stated: boolean;
  /** The tables with a record that has former values, because it was not created in this transaction, with spaces between them. */
  compared: string;
};

/**
 * Leaves out the changes that no event tells of. Returns null if nothing is left. */
function relevant(
  given: readonly Announceable[],
  byTable: ReadonlyMap<string, AnnouncedRecord>,
  byFollowed: FollowersByTable,
): { values: Omit<Values, 'at' | 'id_time' | 'actor'>; which: Which } | null {
  const changed: Pick<Values, 'tables' | 'ids' | 'formers' | 'positions'> = { tables: [], ids: [], formers: [], positions: [] };
  const places = new Map<string, number>();
  const stated: (StatedEvent & { position: number })[] = [];
  const tables = new Set<string>();
  const compared = new Set<string>();
  const followed = new Set<string>();
  for (const [position, each] of given.entries()) {
    if ('type' in each) {
      stated.push({ ...each, position });
      continue;
    }
    const { table, id, previous } = each;
    const columns = byTable.get(table)?.columns ?? [];
    const isShown = columns.length > 0 && (previous === null || columns.some((column) => column in previous));
    const followers = followersOf(each, byFollowed);
    if (!isShown && followers.length === 0) continue;
    changed.tables.push(table);
    changed.ids.push(id);
    changed.formers.push(previous === null ? null : placeIn(places, JSON.stringify(previous)));
    changed.positions.push(position);
    if (isShown) tables.add(table);
    if (isShown && previous !== null) compared.add(table);
    for (const follower of followers) tables.add(follower.table);
    if (followers.length > 0) followed.add(table);
  }
  if (changed.ids.length === 0 && stated.length === 0) return null;
  const values = {
    ...changed,
    former_values: `[${[...places.keys()].join(',')}]`,
    accounts: stated.map(({ account_id }) => account_id),
    types: stated.map(({ type }) => type),
    subjects: stated.map(({ subject_id }) => subject_id),
    data: stated.map(({ data }) => JSON.stringify(data)),
    stated_positions: stated.map(({ position }) => position),
  };
  const which = {
    tables: [...tables].toSorted().join(' '),
    followed: [...followed].toSorted().join(' '),
    stated: stated.length > 0,
    compared: [...compared].toSorted().join(' '),
  };
  return { values, which };
}

/** Returns the place of a text among the different texts so far, from 0. */
function placeIn(places: Map<string, number>, text: string): number {
  const place = places.get(text) ?? places.size;
  places.set(text, place);
  return place;
}

/** The records that show something of the records of a table, by this table. */
type FollowersByTable = ReadonlyMap<string, readonly AnnouncedRecord[]>;

function followersByTable(announced: readonly AnnouncedRecord[]): FollowersByTable {
  const tables = new Set(announced.flatMap(({ follows = [] }) => follows.map(({ table }) => table)));
  return new Map(
    [...tables].map((table) => [table, announced.filter(({ follows = [] }) => follows.some((one) => one.table === table))]),
  );
}

const NONE: readonly AnnouncedRecord[] = [];

/** Returns the records that show something of another record that has changed. */
function followersOf(change: RecordChange, byFollowed: FollowersByTable): readonly AnnouncedRecord[] {
  const followers = byFollowed.get(change.table);
  return followers?.filter(({ follows = [] }) => follows.some((one) => isFollowed(one, change))) ?? NONE;
}

function isFollowed({ table, columns }: Followed, change: RecordChange): boolean {
  const { previous } = change;
  return table === change.table && previous !== null && columns.some((column) => column in previous);
}

/** Builds the parts of a statement that end with `source`: a row for each event, as `eventsOfSource` needs them. */
function eventSource(
  records: readonly AnnouncedRecord[],
  { db, values, which }: { db: Db; values: Values; which: Which },
): RawBuilder<unknown> {
  const { tables, ids, formers, former_values, positions, accounts, types, subjects, data, stated_positions: stated } = values;
  const followed = which.followed.split(' ');
  const followers = records.flatMap(({ table, follows = [] }) =>
    follows.filter((one) => followed.includes(one.table)).map((one) => followerChanges(table, one)),
  );
  const events = records.map((record) => eventsOf(record, which, { db, now: values.at }));
  if (which.stated)
    events.push(sql`select account_id, subject_id, type, data, null::text as previous, position, 1 as rank
      from unnest(${accounts}::text[], ${subjects}::text[], ${types}::text[], ${data}::text[], ${stated}::int[])
        as stated (account_id, subject_id, type, data, position)`);
  const changes = sql`select kind, id, ${former_values}::jsonb -> former as previous, position
      from unnest(${tables}::text[], ${ids}::text[], ${formers}::int[], ${positions}::int[]) as changes (kind, id, former, position)`;
  const change =
    followers.length === 0
      ? sql`change as materialized (${changes})`
      : sql`changes as materialized (${changes}),
        change as materialized (${sql.join([sql`select * from changes`, ...followers], sql` union all `)})`;
  return sql`${change}, source as materialized (
      select account_id, subject_id, type, data, previous, row_number() over (partition by account_id order by position, subject_id, rank) as position
      from (${sql.join(events, sql` union all `)}) event
    )`;
}

/** SQL query: changes of records that are announced because what they show of another record has changed. */
function followerChanges(table: string, { table: followed, columns, ids }: Followed): RawBuilder<unknown> {
  return sql`
    select ${sql.lit(table)}, follower.id, '{}'::jsonb, min(follower.position)
    from (
      select shown.id, followed.position from changes followed cross join lateral (${ids}) as shown (id)
      where followed.kind = ${sql.lit(followed)} and followed.previous ?| array[${sql.join(columns.map((column) => sql.lit(column)))}]
    ) follower
    where not exists (select from changes where changes.kind = ${sql.lit(table)} and changes.id = follower.id)
    group by follower.id`;
}

/**
 * SQL query: the events of the changed records of one table. `previous` has the former values that differ from those in the data, without
 * `updated_at`, or null if there are none.
 */
function eventsOf(
  { table, record, data, former, optional, types, updated }: AnnouncedRecord,
  { compared }: Which,
  { db, now }: { db: Db; now: Instant },
): RawBuilder<unknown> {
  const named = types.map(([type, when]) => sql`case when ${when} then ${sql.lit(type)} end`);
  return sql`
    select record.account_id, record.id as subject_id, announced.type, ${jsonObject(data, optional)} as data,
      ${compared.split(' ').includes(table) ? formerValues(data, former) : sql`null::text`} as previous, change.position, announced.rank
    from change
    cross join lateral (${record(db, now)} offset 0) record
    cross join lateral (select array_remove(array[${sql.join(named)}], null) as types offset 0) particular
    cross join lateral unnest(
      case when particular.types = '{}' and not (${CREATED}) then array[${sql.lit(updated)}] else particular.types end
    ) with ordinality as announced (type, rank)
    where change.kind = ${sql.lit(table)}`;
}

/**
 * SQL: JSON text of the former values in `change.previous` that differ from the fields of the data, or null if there are none. Compares texts,
 * because PostgreSQL writes equal values as equal texts. Only fields that have a former value are compared: parsing all data would take a tenth of
 * the time of a sweep.
 */
function formerValues(data: AnnouncedRecord['data'], computed: AnnouncedRecord['former'] = {}): RawBuilder<string | null> {
  const members = Object.entries(data)
    .filter(([name]) => name !== 'updated_at')
    .map(([name, value]) => {
      const [column, former] = computed[name] ?? [name, sql`(change.previous -> ${sql.lit(name)})::text`];
      return sql`case when change.previous ? ${sql.lit(column)} and ${former} <> ${value} then ${sql.lit(`,${JSON.stringify(name)}:`)} || ${former} end`;
    });
  return sql`'{' || nullif(substr(concat(${sql.join(members)}), 2), '') || '}'`;
}
