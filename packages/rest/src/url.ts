import type { Request } from 'express';

/**
 * Path (below the mount point) and query of a request. Split by hand, because `new URL()` takes the `x` of `//x/y` for a host and resolves
 * dot segments. The query is parsed when it is asked for.
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
