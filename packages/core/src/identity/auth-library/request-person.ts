import { AsyncLocalStorage } from 'node:async_hooks';

interface RecordedPerson {
  userId?: string;
}

const requests = new AsyncLocalStorage<RecordedPerson>();

/** Runs `work`, which calls the library. Sets `recorded.userId` to the user whom the call concerns, even if the library refuses it. */
export function recordingPerson<T>(recorded: RecordedPerson, work: () => Promise<T>): Promise<T> {
  return requests.run(recorded, work);
}

/** Notes the user whom the current request concerns, for `recordingPerson`. */
export function recordPerson(userId: string): void {
  const recorded = requests.getStore();
  if (recorded) recorded.userId = userId;
}
