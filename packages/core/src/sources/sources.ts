/** The table of sources. No other file outside its folder names a source, except the wire's views (`psp-wire.ts`). */
import './stripe/assembly/payment-pieces.tables.ts';
import type { Services } from '../platform/call/context.ts';
import './port/port.ts';
import { FactsSource } from './facts/facts-source.ts';
import { FACTS } from './facts/tell-fact.ts';
import { StripeGateway } from './stripe/stripe-gateway.ts';
import { STRIPE } from './stripe/values/kind.ts';

export { erasePieces, purgePaymentPieces } from './stripe/assembly/keep-pieces.ts';

/** Options of the calls to providers. */
export interface SourceOptions {
  /** Another server for the requests to the provider, such as a proxy. */
  apiBase?: string | undefined;
  /** Time-out of calls to the provider, in milliseconds. */
  timeoutMs?: number | undefined;
}

/** Returns the sources by kind. */
export function createSources(options: SourceOptions = {}): Services['sources'] {
  return { [FACTS]: new FactsSource(), [STRIPE]: new StripeGateway(options) };
}

/** Loads the libraries of the sources in advance. */
export async function preloadSources(): Promise<void> {
  await Promise.all([import('stripe'), import('./stripe/stripe-provider.ts')]);
}
