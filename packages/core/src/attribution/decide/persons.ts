/** The names that belong to one person, as time goes on: identities join at a time (docs/rules/attribution.md#identities). */
import { compare } from '../../platform/order/compare.ts';
import { type Instant, wholeSecond } from '../../platform/time/instant.ts';
import type { Join } from '../../program/customer-identities/customer-identity.ts';

/** The name of the person when all names are of one person, and of payers of whom nothing is known. */
export const ANYBODY = '';

/** Persons by the names that facts have joined so far, each with the key of the claim that binds them. */
export class Persons {
  readonly #joins: readonly Join[];
  readonly #preferred: (one: string, other: string) => string;
  readonly #parents = new Map<string, string>();
  readonly #bindings = new Map<string, string>();
  #next = 0;

  /** @param preferred returns which of two claims binds the customer when two persons turn out to be one */
  constructor(joins: readonly Join[], preferred: (one: string, other: string) => string) {
    this.#joins = joins.toSorted((a, b) => compare(a.at, b.at));
    this.#preferred = preferred;
  }

  /**
   * Joins all names that were shown to be one at or before a time. The times must not decrease. After the last join, all names are of one person, and so are payers
   * of whom nothing is known.
   */
  joinUntil(at: Instant): void {
    for (let join = this.#joins[this.#next]; join !== undefined && wholeSecond(join.at) <= at; join = this.#joins[this.#next]) {
      this.#join(...join.of);
      this.#next += 1;
    }
    if (!this.isOnePerson) return;
    const binding = this.bindingOf(null);
    this.#bindings.clear();
    this.bind(ANYBODY, binding);
  }

  /** True if no names are left to join. */
  get isOnePerson(): boolean {
    return this.#next === this.#joins.length;
  }

  /** Returns the person who has all of these names, which one fact shows together now. */
  personWith([first, ...others]: readonly [string, ...string[]]): string {
    for (const other of others) this.#join(first, other);
    return this.#rootOf(first);
  }

  /** True if a name is one of the person. */
  isNameOf(name: string, person: string): boolean {
    return this.#rootOf(name) === this.#rootOf(person);
  }

  /** Returns the key of the claim that binds a person; of several persons, of whom the customer may be any (`null`), the preferred one. */
  bindingOf(person: string | null): string | null {
    if (person !== null) return this.#bindings.get(this.#rootOf(person)) ?? null;
    return [...this.#bindings.values()].reduce<string | null>(
      (one, other) => (one === null ? other : this.#preferred(one, other)),
      null,
    );
  }

  bind(person: string, claim: string | null): void {
    if (claim === null) this.#bindings.delete(this.#rootOf(person));
    else this.#bindings.set(this.#rootOf(person), claim);
  }

  #join(one: string, other: string): void {
    const [kept, gone] = [this.#rootOf(one), this.#rootOf(other)];
    if (kept === gone) return;
    this.#parents.set(gone, kept);
    const [ofKept, ofGone] = [this.#bindings.get(kept), this.#bindings.get(gone)];
    this.#bindings.delete(gone);
    if (ofGone !== undefined) this.#bindings.set(kept, ofKept === undefined ? ofGone : this.#preferred(ofKept, ofGone));
  }

  #rootOf(name: string): string {
    let root = name;
    for (let parent = this.#parents.get(root); parent !== undefined; parent = this.#parents.get(root)) root = parent;
    return root;
  }
}
