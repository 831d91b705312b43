import { useState } from 'react';

/**
 * The token of a mailed link, from the fragment of the page's address, which reaches no server. It is taken out of the address at
 * once, so that it stays in no history and on no screenshot.
 */
export function useMailedToken(): string {
  const [token] = useState(() => new URLSearchParams(window.location.hash.slice(1)).get('token') ?? '');
  if (window.location.hash !== '') window.history.replaceState(window.history.state, '', window.location.pathname);
  return token;
}
