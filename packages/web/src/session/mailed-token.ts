import { useState } from 'react';

/**
 * The token of an e-mailed link, from the URL fragment, which browsers do not send to servers. It is removed from the URL at
 * once, so that it does not remain in the history or in screenshots.
 */
export function useMailedToken(): string {
  const [token] = useState(() => new URLSearchParams(window.location.hash.slice(1)).get('token') ?? '');
  if (window.location.hash !== '') window.history.replaceState(window.history.state, '', window.location.pathname);
  return token;
}
