import { AsyncLocalStorage } from 'node:async_hooks';

/** Id of the connector for which the library records a consent. The tokens issued for that consent act as the connector. */
export const consentedConnector = new AsyncLocalStorage<string>();

/** The user whom a call of the library concerns, even if the library refuses the call. */
export const recordedPerson = new AsyncLocalStorage<{ userId?: string }>();

/** Notes the user whom the current request concerns. */
export function recordPerson(userId: string): void {
  const recorded = recordedPerson.getStore();
  if (recorded) recorded.userId = userId;
}

/** Request header that passes the client's address to the library. The server sets it itself, because a client could forge the usual headers. */
export const CLIENT_ADDRESS_HEADER = 'x-affiliate-client-address';

/** Header that passes the network of the person who requested a password reset, by the name of its turn, to the email. */
export const NETWORK_HEADER = 'x-affiliate-network';
