import type { Fields, Reply } from './http.ts';

/** Returns the body of a reply with the status. Throws for any other reply. */
export function answered(expected: number, { status, body }: Reply): Fields {
  if (status !== expected) throw new Error(`Answered ${status}: ${JSON.stringify(body)}`);
  return body;
}
