interface Place {
  at: number;
}

/**
 * The items that are under way, e.g. the answers that are being sent. Unlike a `Set`, it keeps no removed item alive: V8 copies the table of a set that
 * items join and leave, and a former table that has become old keeps its items until a full garbage collection
 * (bench/README.md#what-requests-leave-behind).
 */
export class InFlight<Item> {
  readonly #items: Item[] = [];
  readonly #places: Place[] = [];

  /** In no particular order. */
  get items(): readonly Item[] {
    return this.#items;
  }

  /** Adds an item. Returns the function that removes it. */
  add(item: Item): () => void {
    const place = { at: this.#items.length };
    this.#items.push(item);
    this.#places.push(place);
    return () => this.#remove(place);
  }

  #remove(place: Place): void {
    const { at } = place;
    if (this.#places[at] !== place) return;
    const item = this.#items.pop()!;
    const last = this.#places.pop()!;
    if (last === place) return;
    this.#items[at] = item;
    this.#places[at] = last;
    last.at = at;
  }
}
