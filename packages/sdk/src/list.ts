import type { Pagination } from './generated/types.ts';

/** One page of a list. A list that is complete has no pagination. */
interface Page<Item> {
  data: Item[];
  pagination?: Pagination;
}

/** The part of a list to load. */
export interface Position {
  starting_after?: string;
  limit?: number;
}

/**
 * A list. Await it for one page, or iterate over all records:
 *
 *     const { data, pagination } = await program.commissions.list({ state: ['due'] });
 *     for await (const commission of program.commissions.list({ state: ['due'] })) { … }
 *
 * Records that are created or change during an iteration do not move the pages, because each begins after the last record of the one before.
 */
export class List<Item, Found extends Page<Item>> implements PromiseLike<Found>, AsyncIterable<Item> {
  readonly #load: (position: Position) => Promise<Found>;
  readonly #isLimited: boolean;

  constructor(load: (position: Position) => Promise<Found>, query: object) {
    this.#load = load;
    this.#isLimited = 'limit' in query;
  }

  // oxlint-disable-next-line unicorn/no-thenable -- awaiting a list returns a page
  then<Result = Found, Failure = never>(
    onPage?: ((page: Found) => Result | PromiseLike<Result>) | null,
    onError?: ((error: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Result | Failure> {
    return this.#load({}).then(onPage, onError);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    const size = this.#isLimited ? {} : { limit: 100 };
    let page = await this.#load(size);
    for (;;) {
      yield* page.data;
      const cursor = page.pagination?.next_cursor ?? null;
      if (cursor === null) return;
      page = await this.#load({ ...size, starting_after: cursor });
    }
  }
}
