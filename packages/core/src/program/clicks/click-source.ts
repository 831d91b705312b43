import { clientProgramOf } from '../../platform/call/client-program.ts';
import type { ClientFacts } from '../../platform/call/context.ts';

/** Maximum length of each text that is stored about a click. */
const MAX_TEXT = 200;
const COUNTRY = /^[A-Z]{2}$/;
const LANGUAGE = /^\s*([a-z]{2,3})\b/i;

/** The page at which a visitor arrived, and the page from which they came. */
export interface Arrival {
  /** URL of the page at which the visitor arrived. */
  landing: string | null;
  /** URL of the page from which the visitor came. */
  referrer: string | null;
  /** Parameters of the URL that the visitor opened. */
  parameters: string;
}

/** URL parameters that are stored with a click, each in the column of the same name. */
export const ADDRESS_PARAMETERS = [
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
  'sub1',
  'sub2',
  'sub3',
  'sub4',
  'sub5',
] as const;

/** Columns of a click that describe its origin. */
export const CLICK_SOURCE_COLUMNS = [
  'referrer_host',
  'referrer_path',
  'landing_path',
  ...ADDRESS_PARAMETERS,
  'device',
  'browser',
  'os',
  'language',
  'country',
] as const satisfies (keyof ReturnType<typeof clickSourceOf>)[];

/**
 * Returns the columns that describe the origin of a click. Addresses that cannot be parsed are left out, so that the click can still be
 * recorded.
 */
export function clickSourceOf({ landing, referrer, parameters }: Arrival, client: ClientFacts | undefined) {
  const page = pageOf(landing);
  const from = urlOf(referrer);
  const isFromElsewhere = from !== null && from.hostname !== page?.hostname;
  return {
    referrer_host: isFromElsewhere ? storable(from.hostname) : null,
    referrer_path: isFromElsewhere ? storable(from.pathname) : null,
    landing_path: storable(page?.pathname),
    ...addressParametersOf(parameters),
    ...clientProgramOf(client?.userAgent),
    language: LANGUAGE.exec(client?.language ?? '')?.[1]?.toLowerCase() ?? null,
    country: COUNTRY.test(client?.country ?? '') ? client!.country! : null,
  };
}

type AddressParameters = Record<(typeof ADDRESS_PARAMETERS)[number], string | null>;
/** Maximum length of the parameters that are parsed. Parsing takes time for each parameter, and a stranger can send tens of thousands. */
const MAX_PARAMETERS = 8_192;
const NO_PARAMETERS = Object.fromEntries(ADDRESS_PARAMETERS.map((name) => [name, null])) as AddressParameters;

function addressParametersOf(parameters: string): AddressParameters {
  if (!ADDRESS_PARAMETERS.some((name) => parameters.includes(name))) return NO_PARAMETERS;
  const given = new URLSearchParams(parameters.slice(0, MAX_PARAMETERS).replaceAll(/[?#]/g, '&'));
  return Object.fromEntries(ADDRESS_PARAMETERS.map((name) => [name, storable(given.get(name))])) as AddressParameters;
}

/**
 * Limits of the cache: number of pages, and length of an address. Tracked links lead to few pages. Addresses above the maximum length of a
 * link come from strangers, so they are not cached and cannot fill the memory.
 */
const MAX_PAGES = 2_000;
const MAX_KEPT = 2_048;
const pages = new Map<string, URL | null>();

function pageOf(landing: string | null): URL | null {
  if (!landing) return null;
  if (landing.length > MAX_KEPT) return urlOf(landing);
  const known = pages.get(landing);
  if (known !== undefined) return known;
  const page = urlOf(landing);
  if (pages.size >= MAX_PAGES) pages.clear();
  pages.set(landing, page);
  return page;
}

function urlOf(text: string | null | undefined): URL | null {
  return text && URL.canParse(text) ? new URL(text) : null;
}

/**
 * Returns a stranger's text in a form that can be stored: shortened, and without control characters, which PostgreSQL would refuse or
 * reports would show. Returns null if nothing is left.
 */
function storable(text: string | null | undefined): string | null {
  const clean = text
    ?.replaceAll(/\p{Cc}/gu, '')
    .slice(0, MAX_TEXT)
    .toWellFormed();
  return clean || null;
}
