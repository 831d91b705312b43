import { convertText, declaredIn, invalid, untranslated } from '@affiliate/core';
import { z } from 'zod';

/**
 * Reads a query string as input for `schema`. Converts values to arrays, numbers and booleans where the schema declares them. Values that
 * cannot be converted are left for the schema to refuse. The values of an array may be repeated parameters,
 * repeated parameters whose name ends in `[]`, one parameter with commas, or a mix of these. The values of a record have their keys in
 * brackets: `metadata[tier]=gold`. An array may number its values (`state[0]=due`), and true and false may have capitals.
 *
 * @throws VALIDATION_ERROR if a parameter that is not an array occurs twice
 */
export function readQuery(schema: z.ZodObject, parameters: URLSearchParams): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  for (const name of new Set(parameters.keys())) {
    const [, bare = name, key] = /^([^[]*)\[(.*)\]$/s.exec(name) ?? [];
    const field = Object.hasOwn(schema.shape, bare) ? (schema.shape[bare] as z.ZodType) : undefined;
    const declared = field && declaredIn(field);
    const values = parameters.getAll(name);
    if (declared instanceof z.ZodRecord && key) {
      if (values.length > 1) throw invalid(name, untranslated('Must be sent only once.'), 'repeated');
      if (!Object.hasOwn(input, bare)) define(input, bare, {});
      define(input[bare] as Record<string, unknown>, key, values[0]!);
    } else if (declared instanceof z.ZodArray && (key === undefined || /^\d{0,4}$/.test(key))) {
      if (values.length > 1 && key) throw invalid(name, untranslated('Must be sent only once.'), 'repeated');
      const earlier = (input[bare] as string[] | undefined) ?? [];
      input[bare] = [...earlier, ...values.flatMap((value) => value.split(','))];
    } else {
      if (values.length > 1) throw invalid(name, untranslated('Must be sent only once.'), 'repeated');
      define(input, name, declared ? convertText(declared, values[0]!) : values[0]!);
    }
  }
  return input;
}

/** Sets an own property, even if its name is `__proto__`. An assignment would set the prototype instead. */
function define(target: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}
