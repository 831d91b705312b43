import { ServiceError as CallError } from '@affiliate/client';
import { fieldLabelOf } from '../components/labels.ts';
import { t } from '../texts/connection.ts';
import { AuthError } from './auth-error.ts';
import type { Envelope, Problem } from './envelope.ts';
import { isEmbedded } from './portal-token.ts';

/** An error from the service, read from the error envelope (docs/rules/platform.md#errors). */
export interface ServiceError {
  /** Message to show to the user: the problems of the input, each with the label of its field, or else the message of the error. */
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
    return { message: isEmbedded() ? t.portalEnded : t.sessionEnded, code: envelope.code, fields: {} };
  const problems = problemsOf(envelope.details);
  return { message: sentenceOf(problems) || envelope.error, code: envelope.code, fields: fieldsOf(problems) };
}

export function isSignedOut(error: unknown): boolean {
  return envelopeOf(error)?.code === 'UNAUTHORIZED';
}

function envelopeOf(error: unknown): Envelope | null {
  if (error instanceof AuthError) return error.envelope;
  return (error instanceof CallError ? error.data : null) ?? null;
}

function problemsOf(details: unknown): Problem[] {
  if (!Array.isArray(details)) return [];
  return details.filter(({ path, message }: Partial<Problem>) => typeof path === 'string' && typeof message === 'string');
}

function fieldsOf(problems: readonly Problem[]): Record<string, string> {
  const named = problems.filter(({ path }) => path !== '');
  return Object.fromEntries(named.toReversed().map(({ path, message }) => [path, message]));
}

/** Joins the first problem of each field, with the label of the field before it. */
function sentenceOf(problems: readonly Problem[]): string {
  const firsts = problems.filter(({ path }, index) => problems.findIndex((other) => other.path === path) === index);
  return firsts.map(({ path, message, label = labelAt(path) }) => (label === '' ? message : `${label}: ${message}`)).join(' ');
}

/** Returns the label of an input field. A record’s own id and the whole input have none. */
function labelAt(path: string): string {
  return path === '' || path === 'id' ? '' : fieldLabelOf(path);
}
