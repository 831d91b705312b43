import type { ZodError, z } from 'zod';
import './validation-texts.ts';
import { Reason } from '../texts/reason.ts';
import { PLATFORM_REASONS } from '../texts/reasons.ts';
import { RECORDS, type RecordName } from '../texts/refusal-words.ts';
import type { Language } from '../texts/texts.ts';
import { ERRORS, type ErrorCode } from './error-table.ts';

/** A problem of the input: its path (dots and indexes, `''` for the whole input), a stable code, and a message. */
export interface ValidationDetail {
  path: string;
  code: string;
  message: Reason;
  /** The accepted values, or the names of the accepted fields. */
  accepted?: readonly string[] | undefined;
}

/**
 * An error that the caller may see: its message and details are part of the response. Entities and services throw it. Doors
 * (REST, MCP and tRPC) throw it for requests that never reach a procedure. `ERRORS` defines the status and the default message of each code.
 * `message` and `details` are English.
 */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly code: ErrorCode;
  readonly #reason: Reason;
  readonly #details: readonly ValidationDetail[] | Readonly<Record<string, unknown>> | undefined;

  /** @param details the messages of problems are reasons, see `ValidationDetail` */
  constructor(
    code: ErrorCode,
    reason: Reason = new Reason(code, ERRORS[code].message),
    details?: readonly ValidationDetail[] | Readonly<Record<string, unknown>>,
  ) {
    super(String(reason));
    this.code = code;
    this.#reason = reason;
    this.#details = details;
  }

  get details(): unknown {
    return this.in('en').details;
  }

  in(language: Language): { message: string; details: unknown } {
    const details = this.#details;
    return {
      message: this.#reason.in(language),
      details: isProblems(details) ? details.map((each) => ({ ...each, message: each.message.in(language) })) : details,
    };
  }
}

function isProblems(details: unknown): details is readonly ValidationDetail[] {
  return Array.isArray(details);
}

/** Default of `Retry-After`: long enough for the database to restart, short enough for a caller who waits. */
const RETRY_SECONDS = 5;

export function notFound(what: RecordName): DomainError {
  return new DomainError('NOT_FOUND', noSuch(what));
}

/** Returns a reason for programs, or in the words of somebody else. */
export function untranslated(words: string): Reason {
  return PLATFORM_REASONS.untranslated({ words });
}

export function noSuch(record: RecordName): Reason {
  return PLATFORM_REASONS.no_such({ record: RECORDS[record] });
}

/** Returns FORBIDDEN for a credential that lacks `permission`. */
export function missingPermission(permission: string): DomainError {
  return new DomainError('FORBIDDEN', PLATFORM_REASONS.missing_permission({ permission }), { permission });
}

export function methodNotAllowed(method: string, accepted: readonly string[]): DomainError {
  return new DomainError('METHOD_NOT_ALLOWED', PLATFORM_REASONS.method_not_allowed({ method, accepted: accepted.join(' or ') }));
}

export function rateLimited(seconds: number): DomainError {
  return new DomainError('RATE_LIMITED', PLATFORM_REASONS.rate_limited({ seconds }), { retry_after: seconds });
}

/** Returns UNAVAILABLE. The request itself is valid and may be sent again after `seconds`. */
export function unavailable(seconds = RETRY_SECONDS): DomainError {
  return new DomainError('UNAVAILABLE', undefined, { retry_after: seconds });
}

/** Returns CONFLICT for an archived record that cannot be restored. `reason` is a stable code. */
export function cannotRestore(reason: string, message: Reason): DomainError {
  return new DomainError('CONFLICT', message, { reason });
}

/** Returns a VALIDATION_ERROR that names one field. */
export function invalid(path: string, message: Reason, code = 'invalid'): DomainError {
  return validationError([{ path, code, message }]);
}

/** Returns the problem for an input field that the operation does not have. */
export function unknownField(path: string, accepted?: readonly string[]): ValidationDetail {
  return { path, code: 'unrecognized_key', message: PLATFORM_REASONS.unknown_field, ...(accepted && { accepted }) };
}

/** Limits that bound the size of the response, whatever the input. */
const MAX_DETAILS = 20;
const MAX_PATH = 200;
const MAX_ACCEPTED = 200;

/** Returns a VALIDATION_ERROR. The response lists the first MAX_DETAILS problems, and the same accepted values once. */
export function validationError(problems: ValidationDetail[]): DomainError {
  const shown = new Set<string>();
  const details = problems.slice(0, MAX_DETAILS).map(({ accepted, ...detail }) => {
    const list = accepted?.join();
    const isNew = list !== undefined && shown.size < shown.add(list).size;
    const path = detail.path.length > MAX_PATH ? `${detail.path.slice(0, MAX_PATH)}…` : detail.path;
    return { ...detail, path, ...(isNew && { accepted: accepted!.slice(0, MAX_ACCEPTED) }) };
  });
  const [first] = details;
  if (!first) return new DomainError('VALIDATION_ERROR', undefined, details);
  const values = { field: first.path && `${first.path}: `, problem: first.message };
  const more = problems.length - 1;
  return new DomainError(
    'VALIDATION_ERROR',
    more > 0 ? PLATFORM_REASONS.several_problems({ ...values, more }) : PLATFORM_REASONS.one_problem(values),
    details,
  );
}

/**
 * Returns the problems of an input. A value beyond several bounds is one problem: that it exceeds the narrowest bound.
 *
 * @param within path of the value that was checked. Default: the input itself
 */
export function zodDetails(error: ZodError, within?: string): ValidationDetail[] {
  return error.issues.flatMap((issue) => {
    const path = [...(within === undefined ? [] : [within]), ...issue.path.map(String)].join('.');
    if (issue.code === 'unrecognized_keys') {
      const { accepted } = issue as { accepted?: readonly string[] };
      return issue.keys.map((key) => unknownField(path ? `${path}.${key}` : key, accepted));
    }
    if (error.issues.some((other) => isNarrower(other, issue))) return [];
    const accepted = issue.code === 'invalid_value' ? issue.values.map(String) : undefined;
    // Without a reason it is a message of zod itself.
    const { reason = untranslated(issue.message) } = issue as { reason?: Reason };
    return [{ path, code: issue.code, message: reason, ...(accepted && { accepted }) }];
  });
}

/** True if the value of `issue` also exceeds a narrower bound. */
function isNarrower(other: z.core.$ZodIssue, issue: z.core.$ZodIssue): boolean {
  if (other.path.join('.') !== issue.path.join('.')) return false;
  if (other.code === 'too_big' && issue.code === 'too_big') return other.maximum < issue.maximum;
  return other.code === 'too_small' && issue.code === 'too_small' && other.minimum > issue.minimum;
}
