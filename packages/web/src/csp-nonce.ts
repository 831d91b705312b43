import { setNonce } from 'get-nonce';

/** The nonce of this copy of the page, which lets style sheets made at run time pass its Content-Security-Policy. */
export function cspNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
}

// The library that keeps the page from scrolling behind a dialog makes a style sheet, too.
setNonce(cspNonce());
