import type { Announceable, RecordChange, StatedEvent } from '../db/announcer.ts';
import type { Tables } from '../db/tables.ts';

/**
 * The records that a transaction has loaded or created, one object per record. A record that is loaded again gets its current values, so that all
 * parts of the transaction see the same state of it. Also notes what the transaction has changed, for the events that announce it.
 */
export class WorkingSet {
  readonly #records = new Map<string, object>();
  readonly #drafts = new WeakSet<object>();
  /** In the order in which the transaction first changed each record. */
  readonly #changes = new Map<string, Announceable>();
  /** While watching: the records as they were before the transaction changed them, or null for those that it has created. */
  #originals: Map<string, object | null> | undefined;
  #events = 0;
  /** The latest result of `#merged`. */
  #merge: { previous?: RecordChange['previous']; earlier?: RecordChange['previous']; merged?: RecordChange['previous'] } = {};

  /** Returns the object of this record, with the values of `row`. */
  keep<Row extends { id: unknown }>(table: string, row: Row): Row {
    // A record without an id of its own, e.g. a membership, is not kept.
    if (row.id === undefined) return row;
    const key = keyOf(table, row.id);
    const kept = this.#records.get(key);
    const record = kept ? Object.assign(kept, row) : row;
    if (!kept) this.#records.set(key, row);
    if (this.#originals && !this.#changes.has(key)) this.#originals.set(key, { ...record });
    return record;
  }

  /** Keeps the former values of all records that are loaded from now on, for `original`. */
  watch(): void {
    this.#originals = new Map();
  }

  /**
   * Returns the values of a record when it was last loaded before the transaction changed it, null if the transaction has created it, or undefined
   * if it was not loaded.
   */
  original(table: string, id: unknown): object | null | undefined {
    return this.#originals?.get(keyOf(table, id));
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
    this.#changes.delete(keyOf(table, id));
  }

  /** Notes that the transaction has created a record. `insert` and `store` do so themselves. */
  noteCreated(table: string, id: string): void {
    this.#changes.set(keyOf(table, id), { table, id, previous: null });
    this.#originals?.set(keyOf(table, id), null);
  }

  /** Returns former values with earlier ones. The records of a set mostly have the same, and then share one object. */
  #merged(previous: RecordChange['previous'], earlier: RecordChange['previous']): RecordChange['previous'] {
    const { previous: lastPrevious, earlier: lastEarlier, merged } = this.#merge;
    if (merged !== undefined && previous === lastPrevious && earlier === lastEarlier) return merged;
    this.#merge = { previous, earlier, merged: { ...previous, ...earlier } };
    return this.#merge.merged!;
  }

  /**
   * Notes that the transaction has changed a record. `save` does so itself. Every other statement that changes an announced record (`event-catalog.ts`) must
   * be followed by this call.
   *
   * @param previous the former values of the changed columns
   */
  noteChanged(table: keyof Tables, id: string, previous: RecordChange['previous']): void {
    const key = keyOf(table, id);
    const known = this.#changes.get(key) as RecordChange | undefined;
    if (known?.previous === null) return;
    // The first change of a column knows its value from before the transaction.
    this.#changes.set(key, { table, id, previous: known ? this.#merged(previous, known.previous) : previous });
  }

  /** Leaves the former values of columns out of the events of a changed record, because they were erased. */
  concealPrevious(table: keyof Tables, id: string, columns: readonly string[]): void {
    const change = this.#changes.get(keyOf(table, id)) as RecordChange | undefined;
    if (!change?.previous) return;
    const previous = Object.fromEntries(Object.entries(change.previous).filter(([column]) => !columns.includes(column)));
    this.#changes.set(keyOf(table, id), { table, id, previous });
  }

  /** Notes an event whose data no stored record shows. */
  noteEvent(event: StatedEvent): void {
    this.#events += 1;
    this.#changes.set(`event ${this.#events}`, event);
  }

  /** All that the transaction has recorded, in order. */
  get changes(): Announceable[] {
    return [...this.#changes.values()];
  }
}

function keyOf(table: string, id: unknown): string {
  return `${table} ${String(id)}`;
}
