import { z } from 'zod';
import type { Ctx, Services } from '../../platform/call/context.ts';
import type { Reason } from '../../platform/texts/reason.ts';
import { currencyCode } from '../../platform/wire/scalars.ts';
import { type Connected, findConnections, open } from '../connections/open-connection.ts';
import type { ProviderPrice } from '../port/capabilities.ts';
import { PspError } from '../port/psp-error.ts';

const INTERVALS = ['day', 'week', 'month', 'year', 'one_time'] as const;

export const GetPspCatalog = z.strictObject({});

export const PspCatalog = z
  .object({
    connected: z.boolean().describe('`false` if no payment provider is connected. Then the lists are empty.'),
    problem: z.string().nullable().describe('Reason why the products could not be read, in plain words; `null` if they were.'),
    is_complete: z.boolean().describe('`false` if there are more prices than the 1,000 newest ones, which are listed.'),
    products: z
      .array(z.object({ id: z.string(), name: z.string().describe('The ID if the name cannot be read.') }))
      .describe('The products, by name.'),
    prices: z
      .array(
        z.object({
          id: z.string(),
          name: z.string().nullable(),
          product_id: z.string().describe('The product that the price is for.'),
          interval: z.enum(INTERVALS),
          unit_cents: z.int().nullable().describe('Amount of a unit; `null` if it depends on the quantity or the customer.'),
          currency: currencyCode(),
          active: z.boolean(),
        }),
      )
      .describe('Their prices, newest first.'),
  })
  .meta({ id: 'PspCatalog', description: 'The products and prices at the connected payment provider.' });
export type PspCatalog = z.infer<typeof PspCatalog>;

/** Time for which this process keeps the catalog of a connection. */
const KEPT_MS = 60_000;
/** Maximum number of accounts whose catalogs are kept. */
const KEPT_ACCOUNTS = 200;
/** The number of prices up to which the provider lists all. */
const MAX_PRICES = 1_000;

type ReadCatalog = Omit<PspCatalog, 'problem'> & { problem: Reason | null };

const NOT_CONNECTED: PspCatalog & ReadCatalog = { connected: false, problem: null, is_complete: true, products: [], prices: [] };

interface Kept {
  /** The connections of the account, as their sealed keys. */
  connection: string;
  until: number;
  catalog: Promise<ReadCatalog>;
}

const kept = new WeakMap<Services, Map<string, Kept>>();

/**
 * Returns the products and prices at the connected provider, at most a minute old. If they cannot be read, `problem` says why: nothing depends on
 * them but names and warnings. Must not be called inside a transaction.
 */
export async function getPspCatalog(ctx: Ctx): Promise<PspCatalog> {
  const { services, db, accountId } = ctx;
  const connections = await findConnections(db, accountId);
  if (connections.length === 0) return NOT_CONNECTED;
  const connection = connections.map((each) => `${each.sealed_credentials} ${JSON.stringify(each.settings)}`).join();
  const catalogs = kept.get(services) ?? new Map<string, Kept>();
  kept.set(services, catalogs);
  const now = performance.now();
  const known = catalogs.get(accountId);
  if (known !== undefined && known.connection === connection && known.until > now) return inLanguage(ctx, await known.catalog);
  const catalog = readCatalog(services, connections);
  catalogs.delete(accountId);
  const [oldest] = catalogs.keys();
  if (catalogs.size >= KEPT_ACCOUNTS && oldest !== undefined) catalogs.delete(oldest);
  catalogs.set(accountId, { connection, until: now + KEPT_MS, catalog });
  const read = await catalog.catch((error: unknown) => {
    catalogs.delete(accountId);
    throw error;
  });
  // A failed look-up is not kept.
  if (read.problem !== null) catalogs.delete(accountId);
  return inLanguage(ctx, read);
}

function inLanguage({ language }: Ctx, read: ReadCatalog): PspCatalog {
  return { ...read, problem: read.problem?.in(language) ?? null };
}

/** Reads the catalog of the oldest connection whose source has one. */
async function readCatalog(services: Services, connections: readonly Connected[]): Promise<ReadCatalog> {
  for (const connection of connections) {
    const { access } = await open(services, connection);
    if (access.catalog === undefined) continue;
    try {
      return catalogOf(await access.catalog.prices());
    } catch (error) {
      if (!(error instanceof PspError)) throw error;
      return { ...NOT_CONNECTED, connected: true, problem: error.said, is_complete: false };
    }
  }
  return { ...NOT_CONNECTED, connected: true };
}

function catalogOf(prices: readonly ProviderPrice[]): ReadCatalog {
  const products = new Map(prices.map(({ product, productName }) => [product, productName ?? product]));
  return {
    connected: true,
    problem: null,
    is_complete: prices.length < MAX_PRICES,
    products: [...products].map(([id, name]) => ({ id, name })).toSorted((a, b) => a.name.localeCompare(b.name, 'en')),
    prices: prices.map(({ id, name, product, interval, unitCents, currency, isActive }) => ({
      id,
      name,
      product_id: product,
      interval,
      unit_cents: unitCents,
      currency,
      active: isActive,
    })),
  };
}
