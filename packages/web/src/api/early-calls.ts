/** A query of the service by its name, e.g. `session.get`, and its input. */
export type EarlyCall = readonly [name: string, input?: object];

interface EarlyAnswer {
  name: string;
  input: object | undefined;
  data: unknown;
}

type Reply = readonly { result?: { data: unknown } }[];

let answers: Promise<EarlyAnswer[]> = Promise.resolve([]);

/**
 * Asks for what the page at this address begins with, as one batch of tRPC, while its scripts are loaded. The request names no account, so that
 * all of it is about the active one of the session, which the first view shows.
 */
export function callEarly(calls: readonly EarlyCall[]): void {
  const names = calls.map(([name]) => name).join();
  const inputs = JSON.stringify(Object.fromEntries(calls.map(([, input], index) => [index, input])));
  answers = fetch(`/trpc/${names}?batch=1&input=${encodeURIComponent(inputs)}`)
    .then(async (response) => answersOf(calls, (await response.json()) as Reply, response.headers.get('X-Account-Id')))
    .catch(() => []);
}

/**
 * The answers to calls, without refused ones. When the session names another active account than the one that the others are about, because
 * another tab has switched meanwhile, only the session is kept: the page would show the others under the wrong account.
 *
 * @param accountId the account of the request, as the service names it
 */
export function answersOf(calls: readonly EarlyCall[], reply: Reply, accountId: string | null): EarlyAnswer[] {
  const answers = calls.flatMap(([name, input], index) => {
    const data = reply[index]?.result?.data;
    return data === undefined ? [] : [{ name, input, data }];
  });
  const session = answers.filter(({ name }) => name === 'session.get');
  const shown = (session[0]?.data as { active_account_id: string | null } | undefined)?.active_account_id;
  return shown === accountId ? answers : session;
}

/** The answers. Calls that were refused are left out: the page asks again, and shows the error. */
export function earlyAnswers(): Promise<EarlyAnswer[]> {
  return answers;
}
