import { AsyncLocalStorage } from 'node:async_hooks';

interface Noted {
  userId?: string;
}

const requests = new AsyncLocalStorage<Noted>();

/** Runs `work`, which calls the library. Sets `noted.userId` to the user whom the call concerns, even if the library refuses it. */
export function notingPerson<T>(noted: Noted, work: () => Promise<T>): Promise<T> {
  return requests.run(noted, work);
}

/** Notes the user whom the current request concerns, for `notingPerson`. */
export function notePerson(userId: string): void {
  const noted = requests.getStore();
  if (noted) noted.userId = userId;
}
