import { useSearchParams } from 'react-router';
import { DIMENSIONS, type Group, type PageDimension } from './dimensions.ts';

/** Values of dimensions that the page is restricted to; empty: without a value. */
export type Filters = Partial<Record<PageDimension, string>>;

interface PageState {
  filters: Filters;
  isCompared: boolean;
  dimensionOf: (group: Group) => PageDimension;
}

/** The state of the page, which is in the address: filters, comparison, and the dimension of each panel. */
export function usePageState(): PageState & { change: (changes: Readonly<Record<string, string | null>>) => void } {
  const [params, setParams] = useSearchParams();
  const filters: Filters = {};
  for (const name of DIMENSIONS) {
    const value = params.get(name);
    if (value !== null) filters[name] = value;
  }
  return {
    filters,
    isCompared: params.has('compare'),
    dimensionOf: ({ name, dimensions }) =>
      dimensions.find((dimension: PageDimension) => dimension === params.get(`by_${name}`)) ?? dimensions[0],
    change: (changes) => {
      const next = new URLSearchParams(params);
      for (const [name, value] of Object.entries(changes)) {
        if (value === null) next.delete(name);
        else next.set(name, value);
      }
      setParams(next);
    },
  };
}
