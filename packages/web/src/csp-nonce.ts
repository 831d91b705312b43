import { setNonce } from 'get-nonce';

/** Returns the nonce of this page. Its Content-Security-Policy requires the nonce for style sheets that scripts create. */
export function cspNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
}

// The library that locks scrolling behind dialogs creates a style sheet, too.
setNonce(cspNonce());
