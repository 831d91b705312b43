import { z } from 'zod';

/** Names of zod's types in messages. */
const TYPES: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  date: 'a date',
  null: 'null',
};

const FORMATS: Record<string, string> = {
  email: 'an email address',
  url: 'a URL',
  datetime: 'a date and time in ISO 8601 format, e.g. 2026-11-22T09:30:00Z',
  date: 'a date, e.g. 2026-11-22',
  json_string: 'JSON',
  safeint: 'a whole number of at most 9007199254740991',
};

/** Maximum number of accepted values that a message lists. Longer lists, e.g. of currencies, are in the contract. */
const MAX_LISTED = 20;

/** Returns a size with its unit, e.g. `3 characters`, or null for a value without a size, such as a number. */
function unitOf(origin: string, count: number | bigint): string | null {
  const noun = { string: 'character', array: 'item', set: 'item', map: 'item', object: 'field', file: 'byte' }[origin];
  return noun === undefined ? null : `${count} ${noun}${Number(count) === 1 ? '' : 's'}`;
}

/** Returns the names of the fields of an object or record, or undefined if any name is accepted. */
function namesIn(schema: z.core.$ZodType | undefined): string[] | undefined {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape);
  return schema instanceof z.ZodRecord ? [...(schema.keyType._zod.values ?? [])].map(String) : undefined;
}

/**
 * Returns the message for an invalid input value: a sentence that can stand beside the label of the field. Returns undefined for issues
 * whose message comes from elsewhere. A message that a schema declares itself takes precedence.
 */
function validationText(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'Required.';
      // Infinity and NaN, which JavaScript counts as numbers, also get the message `Must be a number.`
      return `Must be ${TYPES[issue.expected] ?? issue.expected}.`;
    case 'too_small': {
      const size = unitOf(issue.origin, issue.minimum);
      if (size === null) return `Must be ${issue.inclusive ? 'at least' : 'greater than'} ${issue.minimum}.`;
      if (issue.exact) return `Must have exactly ${size}.`;
      return issue.origin === 'string' && Number(issue.minimum) === 1 ? 'Must not be empty.' : `Must have at least ${size}.`;
    }
    case 'too_big': {
      const size = unitOf(issue.origin, issue.maximum);
      if (size === null) return `Must be ${issue.inclusive ? 'at most' : 'less than'} ${issue.maximum}.`;
      return issue.exact ? `Must have exactly ${size}.` : `Must have at most ${size}.`;
    }
    case 'not_multiple_of':
      return `Must be a multiple of ${issue.divisor}.`;
    case 'invalid_format':
      return FORMATS[issue.format] === undefined ? 'Has the wrong format.' : `Must be ${FORMATS[issue.format]}.`;
    case 'invalid_value':
      if (issue.input === undefined) return 'Required.';
      if (issue.values.length === 1) return `Must be ${String(issue.values[0])}.`;
      return issue.values.length > MAX_LISTED
        ? 'Must be one of the accepted values.'
        : `Must be one of: ${issue.values.map(String).join(', ')}.`;
    case 'invalid_union':
      return issue.input === undefined ? 'Required.' : 'Does not match any of the accepted formats.';
    case 'unrecognized_keys':
      // The schema is known only here. The problem of the field lists the names that it accepts (`zodDetails`).
      Object.assign(issue, { accepted: namesIn(issue.inst as z.core.$ZodType | undefined) });
      return undefined;
    case 'invalid_key':
      return 'The name is empty, too long or has the wrong form.';
    default:
      return undefined;
  }
}

// Applies to every schema in the process.
z.config({ customError: validationText });
