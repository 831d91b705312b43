/** The table of sources. No other file outside its folder names a source, except the list of kinds and the wire's views (`psp-wire.ts`). */
import type { Services } from '../platform/call/context.ts';
import { type Fetch, NoAnswer } from '../platform/operations/ask-json.ts';
import { DodoSource } from './dodo/dodo-source.ts';
import { FactsSource } from './facts/facts-source.ts';
import { FACTS } from './facts/tell-fact.ts';
import type { ProviderKind } from './kinds.ts';
import { LemonSqueezySource } from './lemon_squeezy/lemon-squeezy-source.ts';
import { PaddleSource } from './paddle/paddle-source.ts';
import { PolarSource } from './polar/polar-source.ts';
import type { Source } from './port/port.ts';
import { ShopifySource } from './shopify/shopify-source.ts';
import { StripeGateway } from './stripe/stripe-gateway.ts';
import { STRIPE } from './stripe/values/names.ts';
import { WooCommerceSource } from './woocommerce/woocommerce-source.ts';

export { erasePieces } from './stripe/assembly/keep-pieces.ts';

/** Options of the calls to providers. */
export interface SourceOptions {
  /** Another server for the requests to Stripe, such as a proxy. */
  apiBase?: string | undefined;
  /** Other servers for the requests to further providers, by kind of source. */
  apiBases?: Readonly<Partial<Record<ProviderKind, string | undefined>>>;
  /** Time-out of calls to the provider, in milliseconds. */
  timeoutMs?: number | undefined;
  /** Sends requests to public addresses only. Without it, shops on servers of their merchants cannot be reached. */
  fetchPublic?: Fetch | undefined;
}

interface OfProvider {
  base: string | undefined;
  timeoutMs: number;
  fetchPublic: Fetch;
}

const PROVIDERS: Readonly<Record<ProviderKind, (of: OfProvider) => Source>> = {
  paddle: (of) => new PaddleSource(of),
  dodo: (of) => new DodoSource(of),
  lemon_squeezy: (of) => new LemonSqueezySource(of),
  polar: (of) => new PolarSource(of),
  shopify: (of) => new ShopifySource(of),
  woocommerce: (of) => new WooCommerceSource(of),
};

export function createSources(options: SourceOptions = {}): Services['sources'] {
  const { apiBases = {}, timeoutMs = 10_000, fetchPublic = refuse } = options;
  const kinds = Object.entries(PROVIDERS) as [ProviderKind, (typeof PROVIDERS)[ProviderKind]][];
  return new Map<string, Source>([
    [STRIPE, new StripeGateway(options)],
    ...kinds.map(([kind, open]) => [kind, open({ base: apiBases[kind], timeoutMs, fetchPublic })] as const),
    [FACTS, new FactsSource()],
  ]);
}

function refuse(): Promise<never> {
  return Promise.reject(new NoAnswer('refused'));
}

/** Loads the libraries of the sources in advance. */
export async function preloadSources(): Promise<void> {
  await Promise.all([import('stripe'), import('./stripe/stripe-provider.ts')]);
}
