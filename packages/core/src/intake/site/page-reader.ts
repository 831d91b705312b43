/** A page of a merchant's site, after redirects. */
export interface SitePage {
  /** Address of the final page. */
  url: string;
  /** Content-Security-Policy headers, one per policy. */
  policies: readonly string[];
  /** The first megabyte, as UTF-8. */
  html: string;
}

/**
 * `refused`: the host has a private address. `unreachable`: the host has no address, or did not answer in time. `error_page`: the host
 * answered with an HTTP error.
 */
export const PAGE_FAILURES = ['invalid_url', 'refused', 'unreachable', 'too_many_redirects', 'error_page', 'not_html'] as const;
type PageFailure = (typeof PAGE_FAILURES)[number];

/** Reads a public page, within limits of time and size. This is a port, because the domain does no I/O of its own. */
export type ReadPage = (url: string) => Promise<SitePage | PageFailure>;

declare module '../../platform/call/context.ts' {
  interface Services {
    readPage: ReadPage;
  }
}
