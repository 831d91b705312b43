/**
 * A double of Shopify's GraphQL Admin API on loopback, at the path of each shop. It answers by a part of the published schema (`schema.graphql`), so that a
 * query of another form, and an object that lacks a field, are errors.
 */
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { buildSchema, graphqlSync } from 'graphql';
import { type Answer, DoubleServer } from '../double-server.ts';
import type { ShopifyOrder } from './objects.ts';

const SCHEMA = buildSchema(readFileSync(join(import.meta.dirname, 'schema.graphql'), 'utf8'));

interface Subscription {
  id: string;
  topic: string;
  uri: string;
}

/** A shop with the app of its merchant. */
export class ShopifyShop {
  readonly name: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly orders: ShopifyOrder[] = [];
  subscriptions: Subscription[] = [];
  tokens = 0;

  constructor(number: number) {
    this.name = `shop-${number}`;
    this.clientId = String(number).padStart(32, 'a');
    this.clientSecret = `shpss_${String(number).padStart(32, '0')}`;
  }

  get token(): string {
    return `shpat_${this.tokens}_${this.clientSecret}`;
  }
}

interface NewSubscription {
  topic: string;
  webhookSubscription: { uri: string };
}

interface Paged {
  after?: string | null;
  first: number;
}

export class ShopifyServer extends DoubleServer {
  readonly shops: ShopifyShop[] = [];
  /** The errors of the next GraphQL answers, instead of data. */
  readonly refusals: { message: string; extensions: { code: string } }[] = [];

  addShop(): ShopifyShop {
    const shop = new ShopifyShop(this.shops.length + 1);
    this.shops.push(shop);
    return shop;
  }

  protected answer({ pathname }: URL, { method, headers }: IncomingMessage, sent: Record<string, unknown>): Answer {
    const [, name, ...path] = pathname.split('/');
    const shop = this.shops.find((each) => each.name === name);
    if (!shop || method !== 'POST') return [404, { errors: 'Not Found' }];
    if (path.join('/') === 'admin/oauth/access_token') {
      const isKnown = sent['client_id'] === shop.clientId && sent['client_secret'] === shop.clientSecret;
      if (!isKnown || sent['grant_type'] !== 'client_credentials') return [401, { error: 'invalid_client' }];
      shop.tokens += 1;
      return [200, { access_token: shop.token, scope: 'read_orders', expires_in: 86_399 }];
    }
    if (path.join('/') !== 'admin/api/2026-07/graphql.json') return [404, { errors: 'Not Found' }];
    if (shop.tokens === 0 || headers['x-shopify-access-token'] !== shop.token)
      return [401, { errors: '[API] Invalid API key or access token' }];
    const refused = this.refusals.shift();
    if (refused) return [200, { errors: [refused] }];
    return [200, this.#execute(shop, sent as { query: string; variables: Record<string, unknown> })];
  }

  #execute(shop: ShopifyShop, { query, variables }: { query: string; variables: Record<string, unknown> }) {
    const rootValue = {
      shop: { name: 'Shop', myshopifyDomain: `${shop.name}.myshopify.com`, currencyCode: 'USD' },
      order: ({ id }: { id: string }) => shop.orders.find((each) => each.id === id) ?? null,
      orders: ({ query: filter, ...paged }: Paged & { query?: string }) => {
        const from = /^updated_at:>='(.*)'$/.exec(filter ?? '')?.[1] ?? '';
        const found = shop.orders.filter(({ updatedAt }) => updatedAt >= from);
        return pageOf(
          found.toSorted((a, b) => (a.updatedAt < b.updatedAt ? -1 : 1)),
          paged,
        );
      },
      webhookSubscriptions: (paged: Paged) => pageOf(shop.subscriptions, paged),
      webhookSubscriptionCreate: ({ topic, webhookSubscription: { uri } }: NewSubscription) => {
        if (shop.subscriptions.some((each) => each.topic === topic && each.uri === uri))
          return { webhookSubscription: null, userErrors: [{ message: 'Address for this topic has already been taken' }] };
        const made = { id: `gid://shopify/WebhookSubscription/${shop.subscriptions.length + 1}`, topic, uri };
        shop.subscriptions.push(made);
        return { webhookSubscription: made, userErrors: [] };
      },
      webhookSubscriptionDelete: ({ id }: { id: string }) => {
        shop.subscriptions = shop.subscriptions.filter((each) => each.id !== id);
        return { deletedWebhookSubscriptionId: id, userErrors: [] };
      },
    };
    const { data, errors } = graphqlSync({ schema: SCHEMA, source: query, rootValue, variableValues: variables });
    return { data, ...(errors && { errors: errors.map(({ message }) => ({ message })) }) };
  }
}

function pageOf<Item extends { id: string }>(all: readonly Item[], { after, first }: Paged) {
  const start = after ? all.findIndex(({ id }) => id === after) + 1 : 0;
  const nodes = all.slice(start, start + first);
  return { nodes, pageInfo: { hasNextPage: start + first < all.length, endCursor: nodes.at(-1)?.id ?? null } };
}

/** Signs a body as Shopify does. */
export function shopifySignature(body: string, secret: string): string {
  return createHmac('sha256', secret).update(body).digest('base64');
}
