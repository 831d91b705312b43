/** Reading what has changed at a provider, page by page. */
import { z } from 'zod';
import { Lap, lapAfter } from '../../platform/operations/laps.ts';
import type { Changes, SourceEvent } from './port.ts';
import { PspError } from './psp-error.ts';
import { SOURCE_REASONS } from './reasons.ts';

/** Time in which a change may still be missing from the lists of providers. */
export const OVERLAP_MS = 10 * 60_000;

export interface ListPage<Item> {
  items: readonly Item[];
  /** Identifies the page: the place where it begins, or the first entry on it if its number is all that the provider tells. */
  page: string;
  /** Beginning of the next page; null at the end. */
  next: string | null;
}

/** Reads the page of a list that begins at a place, null for the first one. */
export type ReadPage<Item> = (place: string | null) => Promise<ListPage<Item>>;

/** The place of a look: the number of the list, the beginning of the next page, and what is remembered of its pages. */
const Place = z.tuple([z.int(), z.string().nullable(), Lap.nullable()]);
type Place = z.infer<typeof Place>;

/**
 * Iterates over the pages of lists, one list after the other. Throws a `PspError` if a list goes round.
 *
 * @param from the place at which an earlier look was cut off
 */
export async function* changesIn<Event extends SourceEvent>(
  lists: readonly ReadPage<Event>[],
  from?: string,
): AsyncIterable<Changes<Event>> {
  let [list, place, lap]: Place = from === undefined ? [0, null, null] : Place.parse(JSON.parse(from));
  while (list < lists.length) {
    const { items, page, next } = await lists[list]!(place);
    lap = lapAfter(lap, page);
    if (lap === null) throw goesRound();
    [list, place, lap] = next === null ? [list + 1, null, null] : [list, next, lap];
    yield { events: items, place: JSON.stringify([list, place, lap] satisfies Place) };
  }
}

/** Reads the entries of a list: all, or no further page once there are `most`. Throws a `PspError` if the list goes round. */
export async function allOf<Item>(read: ReadPage<Item>, most = Infinity): Promise<Item[]> {
  const all: Item[] = [];
  let lap: Lap | null = null;
  for (let place: string | null = null; ;) {
    const { items, page, next }: ListPage<Item> = await read(place);
    lap = lapAfter(lap, page);
    if (lap === null) throw goesRound();
    all.push(...items);
    if (next === null || all.length >= most) return all;
    place = next;
  }
}

/**
 * Returns the entries of a page that may have changed and have. For lists that begin with the newest entries and have no filter by the time of a change.
 *
 * @param earliest older entries no longer change
 */
export function recentOf<Item extends { created_at: string }>(
  { items, page, next }: ListPage<Item>,
  earliest: string,
  hasChanged: (item: Item) => boolean,
): ListPage<Item> {
  const recent = items.filter((item) => item.created_at >= earliest);
  return { items: recent.filter(hasChanged), page, next: recent.length < items.length ? null : next };
}

function goesRound(): PspError {
  return new PspError({ reason: 'rejected', said: SOURCE_REASONS.list_goes_round });
}
