import type { ErrorCode } from '../../platform/errors/error-table.ts';
import { DomainError, invalid, rateLimited } from '../../platform/errors/errors.ts';
import { LOCK_SECONDS } from '../auth-library/lock-seconds.ts';
import { IDENTITY_REASONS, OF_LIBRARY } from '../reasons.ts';

const CODES: Record<number, ErrorCode> = { 401: 'UNAUTHORIZED', 403: 'FORBIDDEN', 404: 'NOT_FOUND', 429: 'RATE_LIMITED' };

/** Maps error codes of the library to the input field concerned. */
const FIELDS: Record<string, string> = {
  INVALID_TOKEN: 'token',
  INVALID_PASSWORD: 'currentPassword',
  PASSWORD_TOO_SHORT: 'newPassword',
  PASSWORD_TOO_LONG: 'newPassword',
};

/** Errors of the second factor, by the library's code. They replace the library's messages, which are written for programmers. */
const SECOND_FACTOR: Record<string, () => Error> = {
  INVALID_CODE: () => invalid('code', IDENTITY_REASONS.wrong_code, 'invalid_code'),
  INVALID_BACKUP_CODE: () => invalid('code', IDENTITY_REASONS.wrong_recovery_code, 'invalid_backup_code'),
  INVALID_TWO_FACTOR_COOKIE: () => new DomainError('UNAUTHORIZED', IDENTITY_REASONS.sign_in_expired),
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: () => new DomainError('UNAUTHORIZED', IDENTITY_REASONS.too_many_wrong_codes),
  ACCOUNT_TEMPORARILY_LOCKED: () => rateLimited(LOCK_SECONDS),
  TOTP_ALREADY_ENABLED: () => new DomainError('CONFLICT', IDENTITY_REASONS.second_factor_is_on),
  TOTP_NOT_ENABLED: () => new DomainError('CONFLICT', IDENTITY_REASONS.second_factor_is_off),
  TWO_FACTOR_NOT_ENABLED: () => new DomainError('CONFLICT', IDENTITY_REASONS.second_factor_is_off),
};

/** Translates the library's error into one of the service's errors. A validation error's `details` keep the library's code. */
export function authRefusal(path: string, status: number, answer: unknown): Error {
  const { message = '', code = 'invalid' } = (answer ?? {}) as { message?: string; code?: string };
  if (status >= 500) return new Error(`Authentication failed with ${status} ${code}: ${message}`);
  const ofSecondFactor = SECOND_FACTOR[code];
  if (ofSecondFactor) return ofSecondFactor();
  const said = (Object.hasOwn(OF_LIBRARY, code) ? OF_LIBRARY[code as keyof typeof OF_LIBRARY] : IDENTITY_REASONS.library_said)({
    words: message,
  });
  if (code === 'INVALID_PASSWORD' && path.startsWith('/two-factor/')) return invalid('password', said, 'invalid_password');
  const known = CODES[status];
  return known ? new DomainError(known, said) : invalid(FIELDS[code] ?? '', said, code.toLowerCase());
}
