import { useEffect } from 'react';
import { Navigate } from 'react-router';
import { framePage } from '../api/frame-options.ts';
import { embedPortal, tellHost } from '../api/portal-token.ts';

/** Opens the portal in a frame of a merchant's page, with the token that the loader has put into the frame's address. */
export function EmbedPage() {
  const { hash, search } = window.location;
  embedPortal(new URLSearchParams(hash.slice(1)).get('token') ?? '', new URLSearchParams(search).get('parent'));
  document.documentElement.dataset['embedded'] = '';
  useEffect(tellHeight, []);
  return <Navigate to={framePage === '' ? '/portal' : `/portal/${framePage}`} replace />;
}

/** Tells the portal's height to the embedding page, initially and after every change. */
function tellHeight(): void {
  const root = document.getElementById('root')!;
  new ResizeObserver(() => tellHost({ type: 'height', height: root.getBoundingClientRect().height })).observe(root);
}
