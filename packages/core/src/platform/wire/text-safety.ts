import { invalid } from '../errors/errors.ts';

const MAX_DEPTH = 24;

/**
 * Refuses, anywhere in an input, text that PostgreSQL cannot store (NUL) or that is not well-formed Unicode (lone surrogates), nesting
 * deeper than any operation needs, and a field called `__proto__`: schemas drop it silently where they take any name.
 *
 * @throws VALIDATION_ERROR naming the place
 */
export function assertStorable(input: unknown): void {
  const pending: { value: unknown; path: string; depth: number }[] = [{ value: input, path: '', depth: 0 }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { value, path, depth } = next;
    if (typeof value === 'string') assertStorableText(value, path);
    if (typeof value !== 'object' || value === null) continue;
    if (depth >= MAX_DEPTH) throw invalid(path, 'Nested too deeply', 'too_deep');
    for (const [key, child] of Object.entries(value)) {
      assertStorableText(key, path);
      if (key === '__proto__')
        throw invalid(path ? `${path}.${key}` : key, 'This field or parameter is not known here.', 'unrecognized_key');
      pending.push({ value: child, path: path ? `${path}.${key}` : key, depth: depth + 1 });
    }
  }
}

function assertStorableText(value: string, path: string): void {
  if (value.includes('\0')) throw invalid(path.replaceAll('\0', ''), 'Must not contain NUL characters', 'invalid_text');
  if (!value.isWellFormed()) throw invalid(path.toWellFormed(), 'Must be well-formed Unicode', 'invalid_text');
}
