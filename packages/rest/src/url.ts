import type { Request } from 'express';

/**
 * Returns the path (below the mount point) and the query of a request. The URL is split by hand, because `new URL()` would take the `x` of
 * `//x/y` for a host and would resolve dot segments. The query is parsed only when it is read.
 */
export function urlOf({ url }: Request): { readonly pathname: string; readonly searchParams: URLSearchParams } {
  const at = url.indexOf('?');
  return {
    pathname: at === -1 ? url : url.slice(0, at),
    get searchParams() {
      return new URLSearchParams(at === -1 ? '' : url.slice(at));
    },
  };
}
