import { AsyncLocalStorage } from 'node:async_hooks';

/** Id of the connector for which a consent is being recorded. */
const consented = new AsyncLocalStorage<string>();

/** Runs `work`, in which the library records a consent. The tokens issued for that consent act as the connector. */
export function consentingTo<T>(connectorId: string, work: () => Promise<T>): Promise<T> {
  return consented.run(connectorId, work);
}

/** Returns the id of the connector for which a consent is being recorded. Undefined outside `consentingTo`. */
export function consentedConnector(): string | undefined {
  return consented.getStore();
}

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

/** Request header that passes the client's address to the library. The server sets it itself, because a client could forge the usual headers. */
export const CLIENT_ADDRESS_HEADER = 'x-affiliate-client-address';

/** Header that passes the network of the person who requested a password reset, by the name of its turn, to the email. */
export const NETWORK_HEADER = 'x-affiliate-network';
