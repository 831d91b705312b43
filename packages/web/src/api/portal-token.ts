import type { PortalEvent } from '@affiliate/client/portal-frame';
import { isPortalHost } from './portal-host.ts';

const NAME = 'portal-token';
/** The token of a portal that is embedded in a frame on another site. Kept in memory, because browsers may block storage in such a frame. */
let embedded: string | null = null;
/**
 * The token with which the affiliate has confirmed in the frame that it is them (`confirmPortal`). Only in memory: the page around the frame never gets it.
 */
let confirmed: string | null = null;
/** Origin of the page that contains the frame. Null if it is not known. */
let host: string | null = null;
/** Time for which a portal waits for a new token. */
const RENEWAL_MS = 10_000;

/**
 * Sets the token of a portal that is embedded in a frame on another site. The token is kept until the page is reloaded, or the page that contains the
 * frame sends another one.
 */
export function embedPortal(token: string, parent: string | null): void {
  embedded = token;
  if (host !== null || parent === null) return;
  host = parent;
  window.addEventListener('message', ({ origin, source, data }) => {
    const { type, token: next, below } = (data ?? {}) as { type?: unknown; token?: unknown; below?: unknown };
    if (origin !== host || source !== window.parent) return;
    if (type === 'affiliate-portal:view' && typeof below === 'number') showNavigation(below);
    if (type !== 'affiliate-portal:token' || typeof next !== 'string') return;
    embedded = next;
    // The page may show the portal of somebody else from now on.
    confirmed = null;
    window.dispatchEvent(new Event('portal-token'));
  });
}

/** Shows the navigation of a phone above the given number of pixels of the frame, which are out of sight. */
function showNavigation(below: number): void {
  document.documentElement.dataset['view'] = '';
  document.documentElement.style.setProperty('--out-of-sight', `${below}px`);
}

/** Tells the page that contains the frame of an event. The browser delivers it only to a page of the origin that has opened the frame. */
export function tellHost(event: PortalEvent): void {
  if (host !== null) window.parent.postMessage({ ...event, type: `affiliate-portal:${event.type}` }, host);
}

let renewal: Promise<string | null> | null = null;

/** Asks the page that contains the frame for a new token. Returns null if it sends none in time. */
function renewPortalToken(): Promise<string | null> {
  renewal ??= new Promise<string | null>((resolve) => {
    const finish = (token: string | null) => {
      window.removeEventListener('portal-token', renewed);
      clearTimeout(timer);
      renewal = null;
      resolve(token);
    };
    const renewed = () => finish(embedded);
    const timer = setTimeout(() => finish(null), RENEWAL_MS);
    window.addEventListener('portal-token', renewed);
    tellHost({ type: 'expired' });
  });
  return renewal;
}

/**
 * Like `fetch`. In a portal that is embedded in another site, a call with an expired token is repeated with a new one. The service has done nothing for a call
 * with an expired token, and what somebody has typed stays.
 */
export const fetchRenewed: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  if (response.status !== 401 || !isEmbedded()) return response;
  const headers = new Headers(init?.headers);
  const refused = headers.get('X-Portal-Token');
  if (refused === confirmed) confirmed = null;
  const token = refused === portalToken() ? await renewPortalToken() : portalToken();
  if (token === null) return response;
  headers.set('X-Portal-Token', token);
  return fetch(input, { ...init, headers });
};

/** Uses a token that the affiliate got by confirming, until it expires or the page around the frame sends another token. */
export function confirmPortal(token: string): void {
  confirmed = token;
}

export function isEmbedded(): boolean {
  return embedded !== null;
}

/** Returns the storage of this tab or, under a merchant's own host name, where nobody signs in, the storage of this browser. */
function storage(): Storage {
  return isPortalHost() ? localStorage : sessionStorage;
}

/** Returns the token of the link that opened the portal, or null if a person is signed in instead. */
export function portalToken(): string | null {
  return confirmed ?? embedded ?? storage().getItem(NAME);
}

export function keepPortalToken(token: string): void {
  storage().setItem(NAME, token);
}

export function dropPortalToken(): void {
  storage().removeItem(NAME);
}
