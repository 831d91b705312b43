/** The name of a query procedure, e.g. `session.get`, and its input. */
export type EarlyCall = readonly [name: string, input?: object];

interface EarlyAnswer {
  name: string;
  input: object | undefined;
  data: unknown;
}

type Reply = readonly { result?: { data: unknown } }[];

let answers: Promise<EarlyAnswer[]> = Promise.resolve([]);

/**
 * Requests the first data of the page at this address in one tRPC batch, while the page's scripts are loading. The request names no
 * account, so that the service answers for the session's active account, which the first view shows.
 */
export function callEarly(calls: readonly EarlyCall[]): void {
  const names = calls.map(([name]) => name).join();
  const inputs = JSON.stringify(Object.fromEntries(calls.map(([, input], index) => [index, input])));
  answers = fetch(`/trpc/${names}?batch=1&input=${encodeURIComponent(inputs)}`)
    .then(async (response) => answersOf(calls, (await response.json()) as Reply, response.headers.get('X-Account-Id')))
    .catch(() => []);
}

/**
 * Returns the successful answers of a batch. Returns only the session if its active account is not the account of the other answers,
 * because the page would show these answers under the wrong account. That happens if another tab switches accounts while the batch is
 * processed.
 *
 * @param accountId the account for which the service processed the batch
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

/** Returns the successful answers of the early calls. The page repeats failed calls and shows their errors. */
export function earlyAnswers(): Promise<EarlyAnswer[]> {
  return answers;
}
