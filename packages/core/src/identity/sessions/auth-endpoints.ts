import { z } from 'zod';
import { email } from '../../platform/wire/scalars.ts';
import type { AttemptLimit } from '../auth-library/attempts.ts';
import type { LinkKind } from '../auth-library/auth.tables.ts';
import { IDENTITY_REASONS } from '../reasons.ts';

export interface AuthEndpoint {
  method: 'GET' | 'POST';
  body: z.ZodObject;
  /**
   * Limits of attempts per client address and per email address. With `failuresOnly`, successful attempts are not counted. `guesses` limits attempts with one
   * email address instead: from one network, and from all networks together unless the browser is known to the person.
   */
  limits?: {
    perAddress: AttemptLimit;
    perEmail?: AttemptLimit;
    failuresOnly?: true;
    guesses?: { perNetwork: readonly AttemptLimit[]; inTotal: AttemptLimit };
  };
  /** Path of the operation in the library, if it differs from the path below `/auth`. */
  path?: string;
  /**
   * Name of a cookie that is not passed on to the library. Otherwise the library would identify the person by this cookie instead of the
   * intended one.
   */
  withoutCookie?: 'session_token' | 'two_factor';
}

const MINUTE = 60;
const text = z.string().min(1).max(1_000);
const code = z.string().regex(/^\d{6}$/, IDENTITY_REASONS.no_six_digits);
const trustDevice = z.boolean().optional();
/** Limit of failed attempts to enter a password, code or token, whether mistyped or guessed. */
const GUESSES = { perAddress: { max: 50, windowSeconds: 10 * MINUTE }, failuresOnly: true } as const;
const PASSWORD_GUESSES = { perAddress: { max: 20, windowSeconds: 10 * MINUTE }, failuresOnly: true } as const;

/**
 * Limits of wrong passwords for one email address. A person who guesses from one network waits longer and longer. Guesses from many networks together shut out
 * unknown browsers only, because otherwise anyone could keep a person from signing in (docs/rules/identity.md#guessing).
 */
const PASSWORDS_OF_ONE_PERSON = {
  perNetwork: [
    { max: 10, windowSeconds: 10 * MINUTE },
    { max: 20, windowSeconds: 60 * MINUTE },
    { max: 40, windowSeconds: 24 * 60 * MINUTE },
  ],
  inTotal: { max: 100, windowSeconds: 60 * MINUTE },
} as const;

/** The operations below `/auth`, by path. Signing up is not offered, because people join by invitation. */
export const AUTH_ENDPOINTS: Record<string, AuthEndpoint> = {
  '/sign-in/email': {
    method: 'POST',
    body: z.strictObject({ email: email(), password: text, rememberMe: z.boolean().optional() }),
    limits: { ...GUESSES, guesses: PASSWORDS_OF_ONE_PERSON },
  },
  '/request-sign-in-link': {
    method: 'POST',
    body: z.strictObject({ email: email() }),
    limits: { perAddress: { max: 20, windowSeconds: 60 * MINUTE }, perEmail: { max: 5, windowSeconds: 60 * MINUTE } },
  },
  '/sign-in/link': { method: 'POST', body: z.strictObject({ token: text }), limits: GUESSES },
  // The second step of signing in. It concerns the person who is signing in, even if the browser still has another person's session.
  '/two-factor/verify-totp': {
    method: 'POST',
    body: z.strictObject({ code, trustDevice }),
    limits: GUESSES,
    withoutCookie: 'session_token',
  },
  '/two-factor/verify-backup-code': {
    method: 'POST',
    body: z.strictObject({ code: text, trustDevice }),
    limits: GUESSES,
    withoutCookie: 'session_token',
  },
  '/two-factor/enable': { method: 'POST', body: z.strictObject({ password: text }), limits: PASSWORD_GUESSES },
  '/two-factor/confirm': {
    method: 'POST',
    path: '/two-factor/verify-totp',
    body: z.strictObject({ code }),
    limits: GUESSES,
    withoutCookie: 'two_factor',
  },
  '/two-factor/disable': { method: 'POST', body: z.strictObject({ password: text }), limits: PASSWORD_GUESSES },
  '/two-factor/generate-backup-codes': { method: 'POST', body: z.strictObject({ password: text }), limits: PASSWORD_GUESSES },
  '/sign-out': { method: 'POST', body: z.strictObject({}) },
  '/get-session': { method: 'GET', body: z.strictObject({}) },
  '/request-password-reset': {
    method: 'POST',
    body: z.strictObject({ email: email() }),
    limits: { perAddress: { max: 20, windowSeconds: 60 * MINUTE }, perEmail: { max: 5, windowSeconds: 60 * MINUTE } },
  },
  '/reset-password': {
    method: 'POST',
    body: z.strictObject({ token: text, newPassword: text }),
    limits: { perAddress: { max: 20, windowSeconds: 10 * MINUTE } },
  },
  '/change-password': {
    method: 'POST',
    // Changing the password always ends the person's other sessions. `revokeOtherSessions` is accepted only because clients of the library send it.
    body: z.strictObject({ currentPassword: text, newPassword: text, revokeOtherSessions: z.literal(true).default(true) }),
    limits: PASSWORD_GUESSES,
  },
  '/revoke-other-sessions': { method: 'POST', body: z.strictObject({}) },
};

/** Requests for an emailed link, by path. They are answered before the service looks up whether a user has the email address. */
export const LINK_REQUESTS: Record<string, Exclude<LinkKind, 'portal'>> = {
  '/request-password-reset': 'password_reset',
  '/request-sign-in-link': 'sign_in',
};
