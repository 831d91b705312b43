import { useEffect } from 'react';
import { Navigate } from 'react-router';
import { embedPortal } from '../api/portal-token.ts';

/** Opens the portal in a frame of a merchant's page, with the token that the loader has put into the frame's address. */
export function EmbedPage() {
  const { hash, search } = window.location;
  embedPortal(new URLSearchParams(hash.slice(1)).get('token') ?? '');
  const parent = new URLSearchParams(search).get('parent');
  useEffect(() => {
    if (parent !== null) tellHeight(parent);
  }, [parent]);
  return <Navigate to="/portal" replace />;
}

/**
 * Posts the portal's height to the embedding page, initially and after every change. The browser delivers the messages only if the embedding
 * page has the origin `parent`.
 */
function tellHeight(parent: string): void {
  const root = document.getElementById('root')!;
  new ResizeObserver(() => {
    const { height } = root.getBoundingClientRect();
    window.parent.postMessage({ type: 'affiliate-portal:height', height }, parent);
  }).observe(root);
}
