import { z } from 'zod';
import type { Ctx, Services } from '../../platform/call/context.ts';
import type { Reason } from '../../platform/texts/reason.ts';
import { currencyCode } from '../../platform/wire/scalars.ts';
import { type Connected, findConnections, open } from '../connections/open-connection.ts';
import { MAX_PRICES, type ProviderPrice } from '../port/capabilities.ts';
import { PspError } from '../port/psp-error.ts';

const INTERVALS = ['day', 'week', 'month', 'year', 'one_time'] as const;

export const GetPspCatalog = z.strictObject({});

export const PspCatalog = z
  .object({
    connected: z.boolean().describe('`false` if no payment provider is connected. Then the lists are empty.'),
    problem: z.string().nullable().describe('Reason why the products could not be read, in plain words; `null` if they were.'),
    is_complete: z
      .boolean()
      .describe(
        '`false` if a provider has more prices than its 1,000 newest ones, which are listed, or does not list its products.',
      ),
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
  .meta({ id: 'PspCatalog', description: 'The products and prices at the connected payment providers.' });
export type PspCatalog = z.infer<typeof PspCatalog>;

/** Time for which this process keeps the catalog of a connection. */
const KEPT_MS = 60_000;
/** Maximum number of accounts whose catalogs are kept. */
const KEPT_ACCOUNTS = 200;
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
 * Returns the products and prices at the connected providers, at most a minute old. If some cannot be read, `problem` says why: nothing depends on
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

/** Reads the catalogs of all connections. One without a catalog, or whose catalog cannot be read, leaves the whole incomplete. */
async function readCatalog(services: Services, connections: readonly Connected[]): Promise<ReadCatalog> {
  const catalogs = await Promise.all(connections.map((connection) => readOne(services, connection)));
  return {
    connected: true,
    problem: catalogs.find(({ problem }) => problem !== null)?.problem ?? null,
    is_complete: catalogs.every(({ is_complete }) => is_complete),
    products: catalogs.flatMap(({ products }) => products).toSorted((a, b) => a.name.localeCompare(b.name, 'en')),
    prices: catalogs.flatMap(({ prices }) => prices),
  };
}

async function readOne(services: Services, connection: Connected): Promise<ReadCatalog> {
  const { access } = await open(services, connection);
  const unread = { ...NOT_CONNECTED, connected: true, is_complete: false };
  if (access.catalog === undefined) return unread;
  try {
    return catalogOf(await access.catalog.prices());
  } catch (error) {
    if (!(error instanceof PspError)) throw error;
    return { ...unread, problem: error.said };
  }
}

function catalogOf(prices: readonly ProviderPrice[]): ReadCatalog {
  const products = new Map(prices.map(({ product, productName }) => [product, productName ?? product]));
  return {
    connected: true,
    problem: null,
    is_complete: prices.length < MAX_PRICES,
    products: [...products].map(([id, name]) => ({ id, name })),
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
