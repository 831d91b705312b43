/**
 * Preloaded into a process of the program, which it kills inside a piece of work: at a random one of the statements that follow one whose text
 * matches the pattern in the file KILL_POINT. Every gap between two statements is a place where a process may die.
 */
import { randomInt } from 'node:crypto';
import { appendFileSync, readFileSync } from 'node:fs';
import { Client } from 'pg';

const file = process.env['KILL_POINT'] ?? '';
/** Share of the matching statements that lead to a death. */
const CHANCE = Number(process.env['KILL_CHANCE'] ?? 1);
const READ_EVERY_MS = 50;
/** Statements of the process between the match and the death, at most. */
const WITHIN = 8;

let pattern: RegExp | null = null;
let left: number | null = null;

function read(): void {
  let text = '';
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    // Not armed yet.
  }
  if (text === (pattern?.source ?? '')) return;
  pattern = text === '' ? null : new RegExp(text);
  if (pattern === null) left = null;
}
read();
setInterval(read, READ_EVERY_MS).unref();

function die(place: string, text: string): void {
  appendFileSync(`${file}.deaths`, `${JSON.stringify({ place, text })}\n`);
  process.kill(process.pid, 'SIGKILL');
}

/** The text of a query, or of all statements that it sends together. */
function textOf(query: unknown): string {
  if (typeof query === 'string') return query;
  const { text, texts } = (query ?? {}) as { text?: unknown; texts?: readonly string[] };
  return texts?.join('; ') ?? String(text);
}

type Query = (...given: unknown[]) => unknown;
const prototype = Client.prototype as unknown as { query: Query };
const { query } = prototype;

prototype.query = function (this: unknown, ...given: unknown[]): unknown {
  const text = textOf(given[0]);
  if (left === null && pattern?.test(text) && Math.random() < CHANCE) left = randomInt(WITHIN);
  if (left === null) return query.apply(this, given);
  left -= 1;
  if (left >= 0) return query.apply(this, given);
  const place = ['before', 'sent', 'answered'][randomInt(3)];
  if (place === 'before') die(place, text);
  const outcome = query.apply(this, given);
  if (place === 'sent') setImmediate(die, place, text);
  else void Promise.resolve(outcome).finally(() => die('answered', text));
  return outcome;
};
