import { useState } from 'react';

/**
 * Returns the token of an emailed link. The token is in the URL fragment, which browsers do not send to servers. Removes it from the URL, so
 * that it remains neither in the history nor in screenshots.
 */
export function useMailedToken(): string {
  const [token] = useState(() => new URLSearchParams(window.location.hash.slice(1)).get('token') ?? '');
  if (window.location.hash !== '') window.history.replaceState(window.history.state, '', window.location.pathname);
  return token;
}
