/** The state of a list is kept in the page's address, so that a view can be bookmarked and shared, and survives leaving the page. */
import { parseDecimalAmount } from '@affiliate/core/browser';
import { useSearchParams } from 'react-router';
import { useMember } from '../session/session.tsx';
import { endOfDay, startOfDay } from './days.ts';

/** Returns the parameters of the address and a function to change them. An empty value removes a parameter. A change returns to page 1. */
export function useParameters(): [params: URLSearchParams, change: (changes: Record<string, string>) => void] {
  const [params, setParams] = useSearchParams();
  const change = (changes: Record<string, string>) => {
    const { page: _, ...rest } = Object.fromEntries(params);
    setParams(Object.fromEntries(Object.entries({ ...rest, ...changes }).filter(([, value]) => value !== '')));
  };
  return [params, change];
}

/**
 * Returns the sort order in the address, and a function that changes it. Without a known order in the address, the order is the first of
 * `sorts`, descending.
 */
export function useSort<const Sorts extends readonly [string, ...string[]]>(...sorts: Sorts) {
  type Sort = Sorts[number] | `-${Sorts[number]}`;
  const [params, change] = useParameters();
  const requested = params.get('sort') ?? '';
  const known = (sorts as readonly string[]).includes(requested.replace(/^-/, ''));
  return {
    sort: (known ? requested : `-${sorts[0]}`) as Sort,
    choose: (sort: string) => change({ sort: sort === `-${sorts[0]}` ? '' : sort }),
  };
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/**
 * Returns the range of days in the address as instants, in the account's time zone. `since` or `until` is undefined if the address does
 * not set it.
 */
export function useDayRange(): { since: string | undefined; until: string | undefined } {
  const [params] = useSearchParams();
  const { time_zone } = useMember().account;
  const day = (name: string) => {
    const value = params.get(name) ?? '';
    return DAY.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined;
  };
  const [since, until] = [day('since'), day('until')];
  return { since: since && startOfDay(since, time_zone), until: until && endOfDay(until, time_zone) };
}

/** Returns the currency and the amounts in the address. Amounts without a currency are in the account's currency. */
export function useAmountRange(): {
  currency: string | undefined;
  amount_from_cents: number | undefined;
  amount_to_cents: number | undefined;
} {
  const [params] = useSearchParams();
  const { account } = useMember();
  const [min, max] = [params.get('min'), params.get('max')];
  const currency = params.get('currency') ?? (min || max ? account.currency : undefined);
  const cents = (value: string | null) =>
    value === null || currency === undefined ? undefined : (parseDecimalAmount(value, currency) ?? undefined);
  return { currency, amount_from_cents: cents(min), amount_to_cents: cents(max) };
}
