import type { Instant } from '../../platform/time/instant.ts';

/**
 * A fact that shows two names to be those of one person. A name is the key of an identity (`keyOf`), or a claim (`nameOfClaim`)
 * (docs/rules/attribution.md#identities).
 */
export interface Join {
  /** In the order of the alphabet. */
  of: [string, string];
  /** Time from which both are known to be one person. */
  at: Instant;
}

/** A time before all facts, for names that a person declares to be one. */
export const ALWAYS: Instant = '1970-01-01T00:00:00.000Z';

/** Returns the joins of names that one fact shows together. */
export function joinsOf(names: readonly string[], at: Instant): Join[] {
  const [first, ...others] = [...new Set(names)].toSorted();
  return others.map((other): Join => ({ of: [first!, other], at }));
}

/** Returns the joins of two sources, with the earliest time of each. The result does not depend on the order of the sources. */
export function withJoins(known: readonly Join[], more: readonly Join[]): Join[] {
  const earliest = new Map<string, Join>();
  for (const join of [...known, ...more]) {
    const key = JSON.stringify(join.of);
    const other = earliest.get(key);
    if (other === undefined || join.at < other.at) earliest.set(key, join);
  }
  return [...earliest].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, join]) => join);
}

/** Replaces the names that are personal data by numbers, so that the joins stay what they are. */
export function withoutNames(joins: readonly Join[], isPersonal: (name: string) => boolean): Join[] {
  const numbers = new Map([...new Set(joins.flatMap(({ of }) => of))].filter(isPersonal).map((name, i) => [name, `erased ${i}`]));
  const nameOf = (name: string) => numbers.get(name) ?? name;
  return withJoins(
    [],
    joins.flatMap(({ of, at }) => joinsOf(of.map(nameOf), at)),
  );
}

/** Returns the name of a claim in joins. A claim by a referral is named by the referral that was named. */
export function nameOfClaim(key: string): string {
  return `claim ${key}`;
}
