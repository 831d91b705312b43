import type { Instant } from '../../platform/time/instant.ts';

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
