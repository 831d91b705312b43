import { AsyncLocalStorage } from 'node:async_hooks';

interface Noted {
  userId?: string;
}

const requests = new AsyncLocalStorage<Noted>();

/** Runs `work`, a request to the library. `noted` receives the id of the user whom the request concerns, even if the request is refused. */
export function notingPerson<T>(noted: Noted, work: () => Promise<T>): Promise<T> {
  return requests.run(noted, work);
}

/** Notes whom the request in progress is about. */
export function notePerson(userId: string): void {
  const noted = requests.getStore();
  if (noted) noted.userId = userId;
}
