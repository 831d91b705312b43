/** The table of sources. No other file outside its folder names a source, except the wire's views (`psp-wire.ts`). */
import type { Services } from '../platform/call/context.ts';
import { type Fetch, NoAnswer } from '../platform/operations/ask-json.ts';
import { DodoSource } from './dodo/dodo-source.ts';
import { DODO } from './dodo/tell.ts';
import { FactsSource } from './facts/facts-source.ts';
import { FACTS } from './facts/tell-fact.ts';
import { LemonSqueezySource } from './lemon_squeezy/lemon-squeezy-source.ts';
import { LEMON_SQUEEZY } from './lemon_squeezy/tell.ts';
import { PaddleSource } from './paddle/paddle-source.ts';
import { PADDLE } from './paddle/tell.ts';
import { PolarSource } from './polar/polar-source.ts';
import { POLAR } from './polar/tell.ts';
import type { Source } from './port/port.ts';
import { ShopifySource } from './shopify/shopify-source.ts';
import { SHOPIFY } from './shopify/tell.ts';
import { StripeGateway } from './stripe/stripe-gateway.ts';
import { STRIPE } from './stripe/values/names.ts';
import { WOOCOMMERCE } from './woocommerce/tell.ts';
import { WooCommerceSource } from './woocommerce/woocommerce-source.ts';

export { erasePieces } from './stripe/assembly/keep-pieces.ts';

/** Options of the calls to providers. */
export interface SourceOptions {
  /** Another server for the requests to Stripe, such as a proxy. */
  apiBase?: string | undefined;
  /** Other servers for the requests to further providers, by kind of source. */
  apiBases?: Readonly<Record<string, string | undefined>>;
  /** Time-out of calls to the provider, in milliseconds. */
  timeoutMs?: number | undefined;
  /** Sends requests to public addresses only. Without it, shops on servers of their merchants cannot be reached. */
  fetchPublic?: Fetch | undefined;
}

export function createSources(options: SourceOptions = {}): Services['sources'] {
  const { apiBases = {}, timeoutMs = 10_000, fetchPublic = refuse } = options;
  const own = (kind: string) => ({ base: apiBases[kind], timeoutMs });
  return new Map<string, Source>([
    [STRIPE, new StripeGateway(options)],
    [PADDLE, new PaddleSource(own(PADDLE))],
    [DODO, new DodoSource(own(DODO))],
    [LEMON_SQUEEZY, new LemonSqueezySource(own(LEMON_SQUEEZY))],
    [POLAR, new PolarSource(own(POLAR))],
    [SHOPIFY, new ShopifySource(own(SHOPIFY))],
    [WOOCOMMERCE, new WooCommerceSource({ ...own(WOOCOMMERCE), fetchPublic })],
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
