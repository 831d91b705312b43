/**
 * This module is preloaded into a process and kills that process in the middle of work. After a statement that matches the pattern in the file
 * KILL_POINT, it kills the process at one of the following statements, chosen at random. A process may therefore die between any two statements.
 */
import { randomInt } from 'node:crypto';
import { appendFileSync, readFileSync } from 'node:fs';
import { Client } from 'pg';

const file = process.env['KILL_POINT'] ?? '';
/** Probability that the process is killed after a matching statement. */
const CHANCE = Number(process.env['KILL_CHANCE'] ?? 1);
const READ_EVERY_MS = 50;
/** Largest number of statements between the match and the kill. */
const WITHIN = 8;

let pattern: RegExp | null = null;
let left: number | null = null;

function read(): void {
  let text = '';
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    // The file does not exist until a test writes a pattern.
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

/** Returns the SQL text of a query. */
function textOf(query: unknown): string {
  if (typeof query === 'string') return query;
  return String((query as { text?: unknown } | null)?.text);
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
