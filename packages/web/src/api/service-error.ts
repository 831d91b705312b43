import { ServiceError as CallError } from '@affiliate/client';
import { t } from '../texts/connection.ts';
import { AuthError, type Envelope } from './auth-error.ts';

/** An error from the service, read from the error envelope (docs/rules/platform.md#errors). */
export interface ServiceError {
  /** Message to show to the user. */
  message: string;
  /** Null if the service did not respond. */
  code: string | null;
  /** First error of each input field; nested fields are joined with dots. */
  fields: Record<string, string>;
}

export function serviceErrorOf(error: unknown): ServiceError {
  const envelope = envelopeOf(error);
  if (!envelope) return { message: navigator.onLine ? t.unreachable : t.offline, code: null, fields: {} };
  // Replaces the service's message, which mentions credentials that only API clients have.
  if (envelope.code === 'UNAUTHORIZED' && !(error instanceof AuthError))
    return { message: t.sessionEnded, code: envelope.code, fields: {} };
  return { message: envelope.error, code: envelope.code, fields: fieldsOf(envelope.details) };
}

export function isSignedOut(error: unknown): boolean {
  return envelopeOf(error)?.code === 'UNAUTHORIZED';
}

function envelopeOf(error: unknown): Envelope | null {
  if (error instanceof AuthError) return error.envelope;
  return (error instanceof CallError ? error.data : null) ?? null;
}

function fieldsOf(details: unknown): Record<string, string> {
  if (!Array.isArray(details)) return {};
  const named = details.filter((detail: { path?: string }) => typeof detail.path === 'string' && detail.path !== '');
  return Object.fromEntries(named.toReversed().map(({ path, message }: { path: string; message: string }) => [path, message]));
}
