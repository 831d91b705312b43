import { callEarly } from './api/early-calls.ts';
import { ADMIN_PAGES, MEMBER_PAGES, OPEN_PAGES } from './pages.ts';

const { pathname, search } = window.location;
/** The page at this address. Pages of single records are not found here: their code is requested when the application has started. */
const page = [...MEMBER_PAGES, ...ADMIN_PAGES, ...OPEN_PAGES].find(({ path }) => path === pathname);

/** Requests the session and, if the address has no query string, the first data of the page at this address. */
export function askForFirstView(): void {
  callEarly([['session.get'], ...(page && search === '' ? page.calls : [])]);
}

/**
 * Starts to load the code of the page at this address, in parallel with the application. Call it after the texts are loaded. If the code cannot be
 * loaded, the page itself shows the error.
 */
export function loadFirstView(): void {
  page?.load().catch(() => undefined);
}
