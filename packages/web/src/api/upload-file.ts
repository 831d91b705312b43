import { MAX_ASSET_BYTES, MAX_LOGO_BYTES } from '@affiliate/core/browser';
import { IN_LANGUAGE } from '../texts/language.ts';
import { t } from '../texts/portal-settings.ts';
import { AuthError, bodyOf } from './auth-error.ts';
import type { Outputs } from './client.ts';
import { shownAccountId } from './shown-account.ts';

/** Uploads a file for all affiliates. Throws AuthError. */
export function uploadAsset(file: File): Promise<Outputs['assets']['upload']> {
  return sendFile('POST', `/api/v1/assets/upload?${new URLSearchParams({ name: file.name })}`, file, MAX_ASSET_BYTES);
}

/** Uploads the logo of the account. Throws AuthError. */
export function uploadLogo(file: File): Promise<Outputs['portalSettings']['uploadLogo']> {
  return sendFile('PUT', '/api/settings/v1/portal_settings/logo/upload', file, MAX_LOGO_BYTES);
}

/**
 * Sends the bytes of a file over REST, which takes them as they are. A file that is too large is not sent, because the service answers before it has read
 * the file, and browsers then show no answer.
 */
async function sendFile<Answer>(method: string, path: string, file: File, maxBytes: number): Promise<Answer> {
  if (file.size > maxBytes)
    throw new AuthError({ error: t.fileTooLarge({ size: sizeInWords(maxBytes) }), code: 'PAYLOAD_TOO_LARGE' });
  const response = await fetch(path, {
    method,
    headers: { 'Content-Type': 'application/octet-stream', 'X-Account-Id': shownAccountId() ?? '', ...IN_LANGUAGE },
    body: file,
  });
  return bodyOf<Answer>(response);
}

function sizeInWords(bytes: number): string {
  return bytes < 1024 * 1024 ? `${bytes / 1024} KiB` : `${bytes / 1024 / 1024} MiB`;
}
