import { parseDecimalAmount } from '@affiliate/core/browser';
import { useSearchParams } from 'react-router';
import { useMember } from '../session/session.tsx';
import { endOfDay, startOfDay } from './days.ts';

/** The state of a list stands in the address, so that a view can be kept as a bookmark, shared, and come back to. */

/** Changes parameters of the address; an empty value removes one. The list starts at its first page again. */
export function useParameters(): [params: URLSearchParams, change: (changes: Record<string, string>) => void] {
  const [params, setParams] = useSearchParams();
  const change = (changes: Record<string, string>) => {
    const { page: _, ...rest } = Object.fromEntries(params);
    setParams(Object.fromEntries(Object.entries({ ...rest, ...changes }).filter(([, value]) => value !== '')));
  };
  return [params, change];
}

/** The order in the address; the first of `sorts`, descending, for none or an unknown one. */
export function useSort<const Sorts extends readonly [string, ...string[]]>(...sorts: Sorts) {
  type Sort = Sorts[number] | `-${Sorts[number]}`;
  const [params, change] = useParameters();
  const asked = params.get('sort') ?? '';
  const known = (sorts as readonly string[]).includes(asked.replace(/^-/, ''));
  return {
    sort: (known ? asked : `-${sorts[0]}`) as Sort,
    choose: (sort: string) => change({ sort: sort === `-${sorts[0]}` ? '' : sort }),
  };
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The range of days in the address, in the account's time zone; undefined ends are open. */
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

/** The currency and amounts in the address. Amounts without a currency are of the account's. */
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
