import type { z } from 'zod';
import { askJson, type JsonRequest, NoAnswer } from '../../platform/operations/ask-json.ts';
import type { ProviderMode } from '../../sources/port/port.ts';
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

/** The words of a rail with a refusal, and their meaning. */
interface Refused {
  /** For people. Empty: nothing. */
  words: string;
  /** The rail's own name of the error. Empty: none. */
  word: string;
  /** True for a refusal that concerns the merchant's account. One of the credentials always does. */
  stopsRail?: boolean;
  /** True for a refusal that says nothing about the payment. */
  outcomeUnknown?: boolean;
}

export class RailRefusal extends RailError {
  readonly httpStatus: number;

  /** @param rail name of the service, for people */
  constructor(rail: string, { status, retryAfter }: Omit<RailAnswer, 'isOk' | 'value'>, refused: Refused) {
    const words = withoutAddresses(refused.words);
    super({
      said: words === '' ? PAYOUT_REASONS.rail_refused({ rail, status }) : PAYOUT_REASONS.rail_said({ words }),
      outcomeUnknown: isUncertain(status) || refused.outcomeUnknown === true,
      word: refused.word || `HTTP_${status}`,
      stopsRail: status === 401 || status === 403 || refused.stopsRail === true,
      retryAfter,
    });
    this.httpStatus = status;
  }

  /** The same refusal, if it says for certain that nothing was done (false), or nothing about it (true). */
  as({ outcomeUnknown }: { outcomeUnknown: boolean }): RailError {
    const { said, word, stopsRail, retryAfter } = this;
    return new RailError({ said, word, stopsRail, retryAfter, outcomeUnknown });
  }
}

/** Returns what live mode answers to credentials that do not name their mode or, if it does not know them, test mode. */
export async function inEitherMode<Told>(ask: (mode: ProviderMode) => Promise<Told>): Promise<Told> {
  try {
    return await ask('live');
  } catch (error) {
    if (!(error instanceof RailRefusal) || error.httpStatus !== 401) throw error;
    return ask('test');
  }
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
