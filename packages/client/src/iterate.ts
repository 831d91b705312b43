/** A page of a list. */
interface Page<Item> {
  data: Item[];
  /** Omitted if the list is complete. */
  pagination?: { next_cursor: string | null };
}

/** A list operation, e.g. `client.commissions.list`. */
interface List<Input, Item> {
  query(input: Input, options?: { signal?: AbortSignal }): Promise<Page<Item>>;
}

/**
 * Iterates over all records of a list, and requests each page when it is needed. Records that are created or change meanwhile do not move the
 * pages, because each begins after the last record of the one before.
 *
 *     for await (const commission of iterate(client.commissions.list, { state: ['due'] })) { … }
 */
export async function* iterate<Input extends object, Item>(
  list: List<Input, Item>,
  input: Input,
  options?: { signal?: AbortSignal },
): AsyncGenerator<Item, void, undefined> {
  let cursor: string | null = null;
  do {
    const position: object = cursor === null ? {} : { starting_after: cursor };
    const { data, pagination } = await list.query({ limit: 100, ...input, ...position }, options);
    yield* data;
    cursor = pagination?.next_cursor ?? null;
  } while (cursor !== null);
}
