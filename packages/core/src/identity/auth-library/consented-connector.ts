import { AsyncLocalStorage } from 'node:async_hooks';

/** The connector of the consent in progress. */
const consented = new AsyncLocalStorage<string>();

/** Runs `work`, in which the library records a consent. The tokens of that consent act as the connector. */
export function consentingTo<T>(connectorId: string, work: () => Promise<T>): Promise<T> {
  return consented.run(connectorId, work);
}

/** The connector of the consent in progress, if any. */
export function consentedConnector(): string | undefined {
  return consented.getStore();
}
