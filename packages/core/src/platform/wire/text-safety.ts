import { invalid, unknownField, validationError } from '../errors/errors.ts';

const MAX_DEPTH = 24;

/**
 * Rejects input that contains, at any depth, NUL characters (PostgreSQL cannot store them) or lone surrogates, that is nested
 * too deeply, or that has a field named `__proto__`, which record schemas would drop silently.
 *
 * @throws VALIDATION_ERROR with the path
 */
export function assertStorable(input: unknown): void {
  const pending: { value: unknown; path: string; depth: number }[] = [{ value: input, path: '', depth: 0 }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { value, path, depth } = next;
    if (typeof value === 'string') assertStorableText(value, path);
    if (typeof value !== 'object' || value === null) continue;
    if (depth >= MAX_DEPTH) throw invalid(path, `Nested too deeply; at most ${MAX_DEPTH} levels are allowed.`, 'too_deep');
    for (const [key, child] of Object.entries(value)) {
      assertStorableText(key, path);
      if (key === '__proto__') throw validationError([unknownField(path ? `${path}.${key}` : key)]);
      pending.push({ value: child, path: path ? `${path}.${key}` : key, depth: depth + 1 });
    }
  }
}

function assertStorableText(value: string, path: string): void {
  if (value.includes('\0')) throw invalid(path.replaceAll('\0', ''), 'Must not contain NUL characters.', 'invalid_text');
  if (!value.isWellFormed()) throw invalid(path.toWellFormed(), 'Must be well-formed Unicode.', 'invalid_text');
}
