import { ZodError, type z } from 'zod';
import { type DomainError, invalid, unknownField, validationError, zodDetails } from '../errors/errors.ts';
import { PLATFORM_REASONS } from '../texts/reasons.ts';
import { hasControls, withoutControls } from './typed-text.ts';

/** Maximum number of levels in the input of an operation. */
export const MAX_DEPTH = 24;

/** An object or array in the input, and its position there. */
interface Place {
  value: object;
  key: string | number;
  parent: Place | null;
  depth: number;
}

/**
 * Rejects input that contains, at any depth, control characters (PostgreSQL cannot store NUL) or lone surrogates, that is nested too deeply, or
 * that has a field named `__proto__`, which record schemas would drop silently. Anyone may send a million values, and building a path for
 * each would be slow, so paths are built only for errors.
 *
 * @throws VALIDATION_ERROR with the path
 */
export function assertStorable(input: unknown): void {
  const pending: Place[] = [];
  const look = (value: unknown, key: string | number, parent: Place | null) => {
    if (typeof value === 'string') assertStorableText(value, key, parent);
    else if (typeof value === 'object' && value !== null)
      pending.push({ value, key, parent, depth: parent === null ? 0 : parent.depth + 1 });
  };
  look(input, '', null);
  for (let place = pending.pop(); place; place = pending.pop()) {
    const { value, depth } = place;
    if (depth >= MAX_DEPTH) throw tooDeep(pathOf(place));
    if (Array.isArray(value)) {
      for (let index = 0; index < value.length; index += 1) look(value[index], index, place);
      continue;
    }
    for (const key of Object.keys(value)) {
      assertStorableText(key, place.key, place.parent);
      if (key === '__proto__') throw validationError([unknownField(pathTo(key, place))]);
      look((value as Record<string, unknown>)[key], key, place);
    }
  }
}

export function tooDeep(path: string): DomainError {
  return invalid(path, PLATFORM_REASONS.nested_too_deep({ max: MAX_DEPTH }), 'too_deep');
}

function assertStorableText(text: string, key: string | number, parent: Place | null): void {
  if (hasControls(text)) throw invalid(withoutControls(pathTo(key, parent)), PLATFORM_REASONS.control_characters, 'invalid_text');
  if (!text.isWellFormed()) throw invalid(pathTo(key, parent).toWellFormed(), PLATFORM_REASONS.malformed_unicode, 'invalid_text');
}

function pathTo(key: string | number, parent: Place | null): string {
  const path = parent === null ? '' : pathOf(parent);
  return path === '' ? String(key) : `${path}.${key}`;
}

function pathOf({ key, parent }: Place): string {
  return pathTo(key, parent);
}

/** Parses input for entry points outside tRPC. Throws VALIDATION_ERROR. */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.infer<Schema> {
  assertStorable(input);
  try {
    return schema.parse(input);
  } catch (error) {
    throw error instanceof ZodError ? validationError(zodDetails(error)) : error;
  }
}
