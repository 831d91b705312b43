import { AuthError, type Envelope } from './auth-error.ts';
import type { Outputs } from './client.ts';
import { shownAccountId } from './shown-account.ts';

/** Uploads a file for all affiliates. Throws AuthError. */
export function uploadAsset(file: File): Promise<Outputs['assets']['upload']> {
  return sendFile('POST', `/api/v1/assets/upload?${new URLSearchParams({ name: file.name })}`, file);
}

/** Uploads the logo of the account. Throws AuthError. */
export function uploadLogo(file: File): Promise<Outputs['portalSettings']['uploadLogo']> {
  return sendFile('PUT', '/api/settings/v1/portal_settings/logo/upload', file);
}

/** Sends the bytes of a file over REST, which takes them as they are. */
async function sendFile<Answer>(method: string, path: string, file: File): Promise<Answer> {
  const response = await fetch(path, {
    method,
    headers: { 'Content-Type': 'application/octet-stream', 'X-Account-Id': shownAccountId() ?? '' },
    body: file,
  });
  const answer: unknown = await response.json();
  if (!response.ok) throw new AuthError(answer as Envelope);
  return answer as Answer;
}
