import { defineEntity, p } from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/postgresql';
import { instant, merchantData, modeOfAccount, recordColumns, type Row } from '../../platform/db/columns.ts';
import { type Instant, wholeSecond } from '../../platform/time/instant.ts';
import type { Join } from '../customer-identities/customer-identity.ts';

export const Customer = defineEntity({
  name: 'Customer',
  tableName: 'customer',
  properties: {
    ...recordColumns,
    ...modeOfAccount,
    ...merchantData,
    /** The shown address. It, `psp_customer_id` and `external_id` are the first of several that a customer may have (`customer_identity`). */
    email: p.string().strictNullable(),
    name: p.string().strictNullable(),
    first_name: p.string().strictNullable(),
    last_name: p.string().strictNullable(),
    psp_customer_id: p.string().strictNullable(),
    trials: p.json<Trial[]>(),
    /** End of the latest of `trials`; null if there is none. */
    trial_until: instant().strictNullable(),
    exclusions: p.json<Exclusion[]>(),
    /** The identities and claims that facts showed to be of one person, with their times. */
    joins: p.json<Join[]>(),
    /** Time at which the personal data were erased. Later facts then add none (docs/rules/privacy.md#erasing-customers). */
    erased_at: instant().strictNullable(),
    /** A reference that the payment provider's records of the customer name and that is not a referral. */
    stray_reference: p.string().strictNullable(),
  },
});

/** A paying customer, known by the rows of `customer_identity`. */
export type Customer = Row<typeof Customer>;

declare module '../../platform/db/tables.ts' {
  interface Tables {
    customer: InferKyselyTable<typeof Customer>;
  }
}

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

/** The last report about the trial of a subscription. */
export interface Trial {
  subscription_id: string;
  /** Time of the report. */
  at: Instant;
  /** Null if the subscription has no trial any more. */
  until: Instant | null;
}

/** Returns the reports of two sources, the latest of each subscription. The result does not depend on the order of the sources. */
export function withTrials(known: readonly Trial[], more: readonly Trial[]): Trial[] {
  const latest = new Map<string, Trial>();
  for (const trial of [...known, ...more]) {
    const other = latest.get(trial.subscription_id);
    if (!other || isLater(trial, other)) latest.set(trial.subscription_id, trial);
  }
  return [...latest.values()];
}

/** Returns the time until which at least one trial lasts, or null. */
export function trialUntil(trials: readonly Trial[]): Instant | null {
  return trials.reduce<Instant | null>(
    (last, { until }) => (until !== null && (last === null || until > last) ? until : last),
    null,
  );
}

/** Of two reports of the same time, the one with the later end counts, because a trial ends but once. */
function isLater(a: Trial, b: Trial): boolean {
  return a.at === b.at ? (a.until ?? '') > (b.until ?? '') : a.at > b.at;
}
