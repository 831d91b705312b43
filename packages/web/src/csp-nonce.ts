import { setNonce } from 'get-nonce';

/** The nonce of this page, required by its Content-Security-Policy for style sheets created at run time. */
export function cspNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
}

// The scroll lock of dialogs also creates a style sheet.
setNonce(cspNonce());
