import { setNonce } from 'get-nonce';

/** Returns the nonce of this page. Its Content-Security-Policy requires the nonce for style sheets that scripts create. */
export function cspNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
}

// The library that prevents scrolling behind dialogs also creates a style sheet, so it needs the nonce.
setNonce(cspNonce());
