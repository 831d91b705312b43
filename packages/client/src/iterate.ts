/** A page of a list. */
interface Page<Item> {
  data: Item[];
  pagination: { next_page: number | null };
}

/** A list operation, e.g. `client.commissions.list`. */
interface List<Input, Item> {
  query(input: Input, options?: { signal?: AbortSignal }): Promise<Page<Item>>;
}

/**
 * Iterates over all records of a list, and requests each page when it is needed.
 *
 *     for await (const commission of iterate(client.commissions.list, { state: ['due'] })) { … }
 */
export async function* iterate<Input extends object, Item>(
  list: List<Input, Item>,
  input: Input,
  options?: { signal?: AbortSignal },
): AsyncGenerator<Item, void, undefined> {
  let next: number | null = null;
  do {
    const { data, pagination } = await list.query({ limit: 100, ...input, ...(next === null ? {} : { page: next }) }, options);
    yield* data;
    next = pagination.next_page;
  } while (next !== null);
}
