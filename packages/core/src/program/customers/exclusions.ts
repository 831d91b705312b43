import { type Instant, wholeSecond } from '../../platform/time/instant.ts';

/**
 * A report of the payment provider whether the merchant excludes a customer, i.e. wants nobody to earn from the customer's sales
 * (docs/rules/attribution.md#excluded-sales).
 */
export interface Exclusion {
  at: Instant;
  excluded: boolean;
}

/** Returns the reports of two sources in the order of their times. The result does not depend on the order of the sources. */
export function withExclusions(known: readonly Exclusion[], more: readonly Exclusion[]): Exclusion[] {
  const all = new Map([...known, ...more].map((report) => [`${report.at} ${report.excluded}`, report]));
  return [...all.values()].toSorted(byTime);
}

/**
 * True if the latest report at or before `at` excludes the customer. The comparison uses whole seconds. Of two reports of the same second,
 * the exclusion counts.
 */
export function isExcludedAt(reports: readonly Exclusion[], at: Instant): boolean {
  return reports.toSorted(byTime).findLast((report) => wholeSecond(report.at) <= at)?.excluded ?? false;
}

function byTime(a: Exclusion, b: Exclusion): number {
  if (a.at !== b.at) return a.at < b.at ? -1 : 1;
  return Number(a.excluded) - Number(b.excluded);
}
