/**
 * The records that a transaction has loaded or created, one object per record. A record that is loaded again gets its current values, so that all
 * parts of the transaction see the same state of it.
 */
export class WorkingSet {
  readonly #records = new Map<string, object>();
  readonly #drafts = new WeakSet<object>();

  /** Returns the object of this record, with the values of `row`. */
  keep<Row extends { id: unknown }>(table: string, row: Row): Row {
    // A record without an id of its own, e.g. a membership, is not kept.
    if (row.id === undefined) return row;
    const key = keyOf(table, row.id);
    const kept = this.#records.get(key);
    if (kept) return Object.assign(kept, row);
    this.#records.set(key, row);
    return row;
  }

  find(table: string, id: unknown): object | undefined {
    return this.#records.get(keyOf(table, id));
  }

  /** Marks a record as a draft: it is not stored yet, and `store` inserts it with the values that it has then. */
  addDraft(record: object): void {
    this.#drafts.add(record);
  }

  isDraft(record: object): boolean {
    return this.#drafts.has(record);
  }

  /** Ends the draft of a record. Returns false if the record was not a draft. */
  endDraft(record: object): boolean {
    return this.#drafts.delete(record);
  }

  /** Forgets a record that was deleted. */
  forget(table: string, id: unknown): void {
    this.#records.delete(keyOf(table, id));
  }
}

function keyOf(table: string, id: unknown): string {
  return `${table} ${String(id)}`;
}
