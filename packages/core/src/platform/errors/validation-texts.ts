import { z } from 'zod';
import type { Reason } from '../texts/reason.ts';
import { FORMATS, PLATFORM_REASONS, SIZES, TYPES } from '../texts/reasons.ts';

/** Maximum number of accepted values that a message lists. Longer lists, e.g. of currencies, are in the contract. */
const MAX_LISTED = 20;

const SIZE_OF: Readonly<Record<string, (values: { count: number }) => Reason>> = {
  string: SIZES.characters,
  array: SIZES.items,
  set: SIZES.items,
  map: SIZES.items,
  object: SIZES.fields,
  file: SIZES.bytes,
};

/** Returns the names of the fields of an object or record, or undefined if any name is accepted. */
function namesIn(schema: z.core.$ZodType | undefined): string[] | undefined {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape);
  return schema instanceof z.ZodRecord ? [...(schema.keyType._zod.values ?? [])].map(String) : undefined;
}

/**
 * Returns the reason for an invalid input value: a sentence that can stand beside the label of the field. Returns undefined for issues
 * whose message comes from elsewhere. A reason that a schema declares itself takes precedence.
 */
function reasonOf(issue: z.core.$ZodRawIssue): Reason | undefined {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return PLATFORM_REASONS.required;
      // Infinity and NaN, which JavaScript counts as numbers, also get the message `Must be a number.`
      return PLATFORM_REASONS.other_type({ type: TYPES[issue.expected as keyof typeof TYPES] ?? issue.expected });
    case 'too_small': {
      const size = SIZE_OF[issue.origin]?.({ count: Number(issue.minimum) });
      if (!size)
        return (issue.inclusive ? PLATFORM_REASONS.at_least : PLATFORM_REASONS.greater_than)({ bound: String(issue.minimum) });
      if (issue.exact) return PLATFORM_REASONS.other_size({ size });
      return issue.origin === 'string' && Number(issue.minimum) === 1
        ? PLATFORM_REASONS.empty
        : PLATFORM_REASONS.too_small({ size });
    }
    case 'too_big': {
      const size = SIZE_OF[issue.origin]?.({ count: Number(issue.maximum) });
      if (!size)
        return (issue.inclusive ? PLATFORM_REASONS.at_most : PLATFORM_REASONS.less_than)({ bound: String(issue.maximum) });
      return issue.exact ? PLATFORM_REASONS.other_size({ size }) : PLATFORM_REASONS.too_big({ size });
    }
    case 'not_multiple_of':
      return PLATFORM_REASONS.no_multiple({ divisor: String(issue.divisor) });
    case 'invalid_format': {
      const type = FORMATS[issue.format as keyof typeof FORMATS];
      return type === undefined ? PLATFORM_REASONS.other_format : PLATFORM_REASONS.other_type({ type });
    }
    case 'invalid_value':
      if (issue.input === undefined) return PLATFORM_REASONS.required;
      if (issue.values.length === 1) return PLATFORM_REASONS.other_type({ type: String(issue.values[0]) });
      return issue.values.length > MAX_LISTED
        ? PLATFORM_REASONS.not_accepted
        : PLATFORM_REASONS.not_one_of({ values: issue.values.map(String).join(', ') });
    case 'invalid_union':
      return issue.input === undefined ? PLATFORM_REASONS.required : PLATFORM_REASONS.no_format;
    case 'unrecognized_keys':
      // The schema is known only here. The problem of the field lists the names that it accepts (`zodDetails`).
      Object.assign(issue, { accepted: namesIn(issue.inst as z.core.$ZodType | undefined) });
      return undefined;
    case 'invalid_key':
      return PLATFORM_REASONS.wrong_name;
    default:
      return undefined;
  }
}

// Applies to every schema in the process.
z.config({ customError: (issue) => reasonOf(issue)?.error(issue) });
