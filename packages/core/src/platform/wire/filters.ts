import { z } from 'zod';
import { timestamp } from './scalars.ts';

/** Query of lists that can be read incrementally; both ends are inclusive. */
export const updatedRange = {
  updated_since: timestamp().optional().describe('Only records changed at or after this time.'),
  updated_until: timestamp().optional().describe('Only records changed at or before this time.'),
};

/** A filter that takes one or several of `values`: repeated, with `[]`, or comma-delimited. */
export function oneOrMore<const Values extends readonly [string, ...string[]]>(values: Values) {
  return (
    z
      .array(z.enum(values))
      // None at all is a mistake, and must not be taken for all of them.
      .min(1)
      .describe(`Only these: one or several of ${values.join(', ')}.`)
      .optional()
  );
}
