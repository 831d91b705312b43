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
