import { AsyncLocalStorage } from 'node:async_hooks';

/** The connector that a consent under way is for. */
const consented = new AsyncLocalStorage<string>();

/** Runs `work`, in which the library writes down a consent, so that its tokens are those of this connector. */
export function consentingTo<T>(connectorId: string, work: () => Promise<T>): Promise<T> {
  return consented.run(connectorId, work);
}

/** Of the consent under way. */
export function consentedConnector(): string | undefined {
  return consented.getStore();
}
