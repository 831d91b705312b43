import { useSearchParams } from 'react-router';
import { DIMENSIONS, type Group, type PageDimension } from './dimensions.ts';

/** For each filtered dimension, the value to which the page is restricted. An empty string stands for records without a value. */
export type Filters = Partial<Record<PageDimension, string>>;

interface PageState {
  filters: Filters;
  isCompared: boolean;
  /** Name of the figure whose course is shown, or null. */
  figure: string | null;
  dimensionOf: (group: Group) => PageDimension;
}

/** Reads the state of the page from its address: the filters, the comparison, the figure of the curve, and the dimension that each panel shows. */
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
    figure: params.get('figure'),
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
