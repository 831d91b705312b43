import { z } from 'zod';
import { timestamp } from './scalars.ts';

/** Filters for incremental reads; both ends are inclusive. */
export const updatedRange = {
  updated_since: timestamp().optional().describe('Returns records updated at or after this time.'),
  updated_until: timestamp().optional().describe('Returns records updated at or before this time.'),
};

/** Filter by one or more of `values`: repeated, with `[]`, or comma-separated. */
export function oneOrMore<const Values extends readonly [string, ...string[]]>(values: Values) {
  return (
    z
      .array(z.enum(values))
      // An empty filter is a mistake and must not match every record.
      .min(1)
      .describe(`Filters by one or more of ${values.join(', ')}.`)
      .optional()
  );
}

/** Filter by mode. */
export const modeFilter = () =>
  z.boolean().optional().describe('`true`: live records only. `false`: records of the payment provider’s test mode only.');
