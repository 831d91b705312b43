import { ERRORS, type ErrorCode } from '@affiliate/core';
import type { ErrorBody, Reply } from '../support/http.ts';

/** Largest permitted length of an error response, whatever input it quotes. */
const LONGEST_REFUSAL = 8_000;
/** Text that must not reach a caller: stack traces, SQL statements, names of libraries. */
const INSIDES = /node_modules|\n\s+at |\.ts:\d|select .* from|insert into|postgres|mikro|kysely|zod/i;

/**
 * Checks an error response: it must be the documented envelope, name the request, and reveal nothing internal. Returns the first problem, or null.
 *
 * @param field the field that a validation error must name; null for any
 */
export function problemOfRefusal({ status, headers, body, text }: Reply, field: string | null = null): string | null {
  const { error, code, details } = body as unknown as ErrorBody;
  if (status >= 500) return `${status} ${text.slice(0, 200)}`;
  if (typeof error !== 'string' || error === '' || !Object.hasOwn(ERRORS, code ?? ''))
    return `${status} without the envelope: ${text.slice(0, 200)}`;
  if (ERRORS[code as ErrorCode].status !== status) return `${code} with the status ${status}`;
  if (!headers.get('x-request-id')) return 'names no request';
  if (text.length > LONGEST_REFUSAL) return `answers ${text.length} characters`;
  if (INSIDES.test(text)) return `tells of the inside: ${text.slice(0, 300)}`;
  if (field === null || code !== 'VALIDATION_ERROR') return null;
  const named = details?.map(({ path }) => path) ?? [];
  // The service truncates long field names in responses.
  const [first = ''] = field.split('.');
  const isNamed = (path: string) => path === '' || first.startsWith(path.split('.')[0]!.replace(/\[\]$|…$/, ''));
  return named.some(isNamed) ? null : `names ${named.join(', ').slice(0, 100)}: ${error.slice(0, 100)}`;
}
