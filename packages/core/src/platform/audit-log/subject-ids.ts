import { isRecordId } from '../wire/ids.ts';

/** Maximum number of records by which an entry is found. */
const MAX_SUBJECTS = 1_000;
/** Maximum depth of arguments in which ids are looked for. */
const MAX_DEPTH = 8;

/** Names of arguments that identify a record: `id`, `affiliate_id`, `ids`, `payout_ids`. */
const ID_FIELD = /^(?:\w+_)?ids?$/;

/** Result of a call: a record, or the records of a bulk call. */
interface Returned {
  id?: unknown;
  affiliate_id?: unknown;
  data?: unknown;
}

/**
 * Returns the ids of the records that the arguments of a call name, of those that the call returned, and of the affiliate to whom the returned record
 * belongs, at most 1,000.
 */
export function subjectIds(given: unknown, returned?: unknown): string[] {
  const { id, affiliate_id, data } = (returned ?? {}) as Returned;
  const items = Array.isArray(data) ? data.map((item: { record?: Returned | null }) => item?.record?.id) : [];
  const ids = [id, affiliate_id, ...items, ...idsIn(given, 0)].filter(
    (id) => typeof id === 'string' && isRecordId(id),
  ) as string[];
  return [...new Set(ids)].slice(0, MAX_SUBJECTS);
}

function idsIn(given: unknown, depth: number): unknown[] {
  if (typeof given !== 'object' || given === null || depth > MAX_DEPTH) return [];
  if (Array.isArray(given)) return given.flatMap((item) => idsIn(item, depth + 1));
  return Object.entries(given).flatMap(([name, value]) =>
    ID_FIELD.test(name) ? ([value].flat() as unknown[]) : idsIn(value, depth + 1),
  );
}
