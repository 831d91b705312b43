import type { Request } from 'express';

/**
 * Path (below the mount point) and query of a request. Split by hand, because `new URL()` takes the `x` of `//x/y` for a host and resolves
 * dot segments.
 */
export function urlOf(request: Request): { pathname: string; searchParams: URLSearchParams } {
  const at = request.url.indexOf('?');
  return at === -1
    ? { pathname: request.url, searchParams: new URLSearchParams() }
    : { pathname: request.url.slice(0, at), searchParams: new URLSearchParams(request.url.slice(at)) };
}
