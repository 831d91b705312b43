import { useSearchParams } from 'react-router';

/** Returns the page number in the URL, starting at 1. */
export function usePageNumber(): number {
  const [params] = useSearchParams();
  const page = Number(params.get('page') ?? 1);
  return Number.isInteger(page) && page > 0 ? page : 1;
}
