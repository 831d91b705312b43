import { invalid, untranslated } from '@affiliate/core';
import type { z } from 'zod';

type Kind = 'array' | 'record' | 'number' | 'boolean' | 'text';

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
    const kind = field ? kindOf(field) : 'text';
    const values = parameters.getAll(name);
    if (kind === 'record' && key) {
      if (values.length > 1) throw invalid(name, untranslated('Must be sent only once.'), 'repeated');
      if (!Object.hasOwn(input, bare)) define(input, bare, {});
      define(input[bare] as Record<string, unknown>, key, values[0]!);
    } else if (kind === 'array' && (key === undefined || /^\d{0,4}$/.test(key))) {
      if (values.length > 1 && key) throw invalid(name, untranslated('Must be sent only once.'), 'repeated');
      const earlier = (input[bare] as string[] | undefined) ?? [];
      input[bare] = [...earlier, ...values.flatMap((value) => value.split(','))];
    } else {
      if (values.length > 1) throw invalid(name, untranslated('Must be sent only once.'), 'repeated');
      define(input, name, convert(kind, values[0]!));
    }
  }
  return input;
}

/** Sets an own property, even if its name is `__proto__`. An assignment would set the prototype instead. */
function define(target: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}

const BOOLEANS = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

function convert(kind: Kind, value: string): unknown {
  // A number too large to be exact is replaced by the largest exact integer. That still exceeds every maximum, so `limit` is capped and other
  // fields are refused.
  if (kind === 'number' && /^-?\d+(\.\d+)?$/.test(value)) return Math.min(Number(value), Number.MAX_SAFE_INTEGER);
  if (kind === 'boolean') return BOOLEANS.get(value.toLowerCase()) ?? value;
  return value;
}

function kindOf(schema: z.ZodType): Kind {
  let { def } = schema as z.ZodType & { def: { type: string; innerType?: z.ZodType; in?: z.ZodType } };
  for (let inner = def.innerType ?? def.in; inner; inner = def.innerType ?? def.in)
    def = (inner as typeof schema & { def: typeof def }).def;
  if (def.type === 'array' || def.type === 'record' || def.type === 'number' || def.type === 'boolean') return def.type;
  return 'text';
}
