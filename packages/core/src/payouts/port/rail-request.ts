import type { z } from 'zod';
import { askJson, type JsonRequest, NoAnswer } from '../../platform/operations/ask-json.ts';
import { RailError } from './rail.ts';
import { PAYOUT_REASONS } from './reasons.ts';

/** An answer of a rail: an object or a list, or null for an empty one. */
export interface RailAnswer {
  status: number;
  isOk: boolean;
  value: unknown;
  retryAfter: number | null;
}

/** Statuses that leave open whether the request was carried out: conflicts and limits, too. */
const UNCERTAIN = new Set([408, 409, 425, 429]);

/** Maximum number of characters of a rail's message. */
const MAX_MESSAGE = 300;

/** Reports whether a refused request may have been carried out, or may be at another time. */
export function isUncertain(status: number): boolean {
  return status >= 500 || UNCERTAIN.has(status);
}

/**
 * Sends a request to a rail.
 *
 * @param name name of the service, for people
 * @throws RailError without an answer of the rail. An error page of a proxy is not one
 */
export async function requestOf(name: string, url: string, request: JsonRequest): Promise<RailAnswer> {
  const { status, value, retryAfter } = await askJson(url, request).catch((error: unknown) => {
    if (!(error instanceof NoAnswer)) throw error;
    throw new RailError({ said: PAYOUT_REASONS.rail_silent({ rail: name }), outcomeUnknown: true });
  });
  const isOk = status >= 200 && status < 300;
  if (typeof value !== 'object' || (value === null && !isOk)) throw unreadable(name);
  return { status, isOk, value, retryAfter };
}

/** Returns the part of an answer that a schema describes. Throws a `RailError` for an answer of another form. */
export function parsedBy<Schema extends z.ZodType>(name: string, schema: Schema, answer: unknown): z.infer<Schema> {
  const { success, data } = schema.safeParse(answer);
  if (!success) throw unreadable(name);
  return data;
}

function unreadable(name: string): RailError {
  return new RailError({ said: PAYOUT_REASONS.rail_unreadable({ rail: name }), outcomeUnknown: true });
}

/** Returns a text of a rail without email addresses, ids and long numbers, which may be those of people and their accounts, shortened. */
export function withoutAddresses(text: string): string {
  return text
    .replaceAll(/\S+@\S+/g, '…')
    .replaceAll(/\b[a-z]{2,8}_(?=\w*\d)\w{8,}/g, '…')
    .replaceAll(/\b[A-Z]{0,4}\d[\dA-Z -]{4,}\d\b/g, '…')
    .slice(0, MAX_MESSAGE);
}
