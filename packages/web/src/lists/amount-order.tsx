import { MAX_SORTED_BY_AMOUNT } from '@affiliate/core/browser';
import { Button, Group } from '@mantine/core';
import { serviceErrorOf } from '../api/service-error.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { notify } from '../components/notices.tsx';
import type { Sorting } from '../components/record-table.tsx';
import { useMember } from '../session/session.tsx';
import { LOCALE } from '../texts/language.ts';
import { t } from '../texts/lists.ts';
import { useParameters } from './address.ts';

/** A function, so that the number is formatted only when the text is shown, because the first call to `toLocaleString` on a page is slow. */
const tooMany = () => t.tooManyToSort({ most: MAX_SORTED_BY_AMOUNT.toLocaleString(LOCALE) });

/**
 * True for an amount column. A list can be sorted by amount only if it is in one currency and short enough (docs/rules/platform.md#lists).
 */
export function isAmount(sort: string): boolean {
  return sort.endsWith('amount_cents');
}

/** True if the service refused to sort a list by amount. */
export function isRefusal(error: unknown): boolean {
  const { fields } = serviceErrorOf(error);
  return 'currency' in fields || 'sort' in fields;
}

/**
 * Returns the order of a list with an `obstacleTo` that says why the list cannot be sorted by amount: because the page shows several currencies,
 * or because the list is too long.
 */
export function useAmountOrder(sorting: Sorting | undefined, rows: readonly object[], total: number): Sorting | undefined {
  const [params] = useParameters();
  if (!sorting) return undefined;
  const isOfOneCurrency = ['currency', 'min', 'max'].some((name) => params.has(name));
  const currencies = new Set(rows.map((row) => (row as { currency?: string }).currency));
  const hasSeveral = !isOfOneCurrency && currencies.size > 1;
  const obstacleTo = (sort: string) => {
    if (!isAmount(sort)) return undefined;
    return hasSeveral ? t.severalCurrencies : total > MAX_SORTED_BY_AMOUNT ? tooMany() : undefined;
  };
  const choose = (sort: string) => {
    const obstacle = obstacleTo(sort);
    if (obstacle === undefined) sorting.choose(sort);
    else notify(obstacle);
  };
  return { sort: sorting.sort, choose, obstacleTo };
}

/** Shown instead of a list that the service refused to sort by amount: the reason, and buttons that change the filter or the order. */
export function AmountOrderRefused({ error, sorting }: { error: unknown; sorting: Sorting }) {
  const [, change] = useParameters();
  const { currency } = useMember().account;
  const hasSeveral = 'currency' in serviceErrorOf(error).fields;
  return (
    <EmptyState
      title={t.notSortedByAmount}
      action={
        <Group justify="center">
          {hasSeveral && <Button onClick={() => change({ currency })}>{t.onlyIn({ currency })}</Button>}
          <Button variant="default" onClick={() => sorting.choose('')}>
            {t.usualOrder}
          </Button>
        </Group>
      }
    >
      {hasSeveral ? t.severalCurrencies : tooMany()}
    </EmptyState>
  );
}
