import type { Preview } from '@affiliate/core';

type Fields = Record<string, unknown>;

/** Fields of a record that say to a person which one it is. */
const NAMING: readonly string[] = ['id', 'name', 'first_name', 'last_name', 'email', 'external_id'];

/**
 * Limits the reply to a write to what the write is about. A record that stands in another one has only its names: if it changes, an event shows it. An
 * event about a record of the result has only the fields that the result does not show.
 */
export function onlyChanges(result: unknown, events: Preview['events']): { result: unknown; events: Preview['events'] } {
  const shown = new Map<unknown, Fields>();
  const reduce = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(reduce);
    const record = value as Fields;
    if ('id' in record) shown.set(record['id'], record);
    return Object.fromEntries(
      Object.entries(record).map(([name, child]) => [name, isAside(record, name, child) ? namesOf(child) : reduce(child)]),
    );
  };
  const reduced = reduce(result);
  return { result: reduced, events: events.map((event) => ({ ...event, data: differing(event.data as Fields, shown) })) };
}

/** True for a record that stands in the one that names it, e.g. `campaign` beside `campaign_id`. */
function isAside(record: Fields, name: string, child: unknown): child is Fields {
  return isRecord(child) && record[`${name}_id`] === child['id'];
}

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && 'id' in value;
}

function namesOf(record: Fields): Fields {
  return Object.fromEntries(Object.entries(record).filter(([name]) => NAMING.includes(name)));
}

function differing(data: Fields, shown: ReadonlyMap<unknown, Fields>): Fields {
  const record = shown.get(data['id']);
  if (!record) return data;
  const isSame = (name: string, value: unknown) => JSON.stringify(value) === JSON.stringify(record[name] ?? null);
  return Object.fromEntries(Object.entries(data).filter(([name, value]) => name === 'id' || !isSame(name, value)));
}
