import { useQueries, useQuery } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { nameOf } from '../components/affiliate-link.tsx';
import { t } from '../texts/analytics.ts';
import { LOCALE } from '../texts/language.ts';
import { onDemand } from '../texts/on-demand.ts';
import type { PageDimension } from './dimensions.ts';

const countries = onDemand(() => new Intl.DisplayNames(LOCALE, { type: 'region' }));

/** Returns the name of a country in the language of the page, or the code if it is not that of a country. */
function countryName(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (countries().of(code) ?? code) : code;
}

/** Returns the flag of a country as a character, or an empty text. Systems without flags show the letters of the code. */
export function flagOf(code: string): string {
  if (!/^[A-Z]{2}$/.test(code)) return '';
  return String.fromCodePoint(...[0, 1].map((at) => 0x1_f1e6 + code.charCodeAt(at) - 65));
}

/** Returns a function that gives the display name of a value of the dimension. Ids of affiliates, campaigns and links become names. */
export function useNames(dimension: PageDimension, values: readonly (string | null)[]): (value: string | null) => string {
  const ids = values.filter((value) => value !== null && value !== '') as string[];
  const campaigns = useQuery(trpc.campaigns.list.queryOptions({ limit: 100 }, { enabled: dimension === 'campaign' }));
  const affiliates = useQueries({
    queries: (dimension === 'affiliate' ? ids : []).map((id) => trpc.affiliates.get.queryOptions({ id })),
  });
  const links = useQueries({
    queries: (dimension === 'link' ? ids : []).map((id) => trpc.links.get.queryOptions({ id })),
  });
  const names = new Map<string, string>([
    ...(campaigns.data?.data ?? []).map(({ id, name }): [string, string] => [id, name]),
    ...affiliates.flatMap(({ data }): [string, string][] => (data ? [[data.id, nameOf(data)]] : [])),
    ...links.flatMap(({ data }): [string, string][] => (data ? [[data.id, data.token]] : [])),
  ]);
  return (value) =>
    value === null || value === '' ? t.none : dimension === 'country' ? countryName(value) : (names.get(value) ?? value);
}
