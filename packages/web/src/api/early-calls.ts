/** A query of the service by its name, e.g. `session.get`, and its input. */
export type EarlyCall = readonly [name: string, input?: object];

interface EarlyAnswer {
  name: string;
  input: object | undefined;
  data: unknown;
}

let answers: Promise<EarlyAnswer[]> = Promise.resolve([]);

/**
 * Asks for what the page at this address begins with, as one batch of tRPC, while its scripts are loaded. The request names no account, so that
 * all of it is about the active one of the session, which the first view shows.
 */
export function callEarly(calls: readonly EarlyCall[]): void {
  const names = calls.map(([name]) => name).join();
  const inputs = JSON.stringify(Object.fromEntries(calls.map(([, input], index) => [index, input])));
  answers = fetch(`/trpc/${names}?batch=1&input=${encodeURIComponent(inputs)}`)
    .then((response) => response.json() as Promise<{ result?: { data: unknown } }[]>)
    .then((found) =>
      calls.flatMap(([name, input], index) => {
        const data = found[index]?.result?.data;
        return data === undefined ? [] : [{ name, input, data }];
      }),
    )
    .catch(() => []);
}

/** The answers. Calls that were refused are left out: the page asks again, and shows the error. */
export function earlyAnswers(): Promise<EarlyAnswer[]> {
  return answers;
}
