import { AuthError, type Envelope } from './auth-error.ts';
import type { Outputs } from './client.ts';
import { contentOf } from './file-content.ts';
import { shownAccountId } from './shown-account.ts';

/** Uploads a file for all affiliates. Uses REST, which accepts larger bodies than tRPC. Throws AuthError. */
export async function uploadAsset(file: File): Promise<Outputs['assets']['create']> {
  const response = await fetch('/api/v1/assets', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Account-Id': shownAccountId() ?? '' },
    body: JSON.stringify({ name: file.name, content: await contentOf(file) }),
  });
  const answer: unknown = await response.json();
  if (!response.ok) throw new AuthError(answer as Envelope);
  return answer as Outputs['assets']['create'];
}
