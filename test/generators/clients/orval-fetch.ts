import { SERVICE } from './walk.ts';

/** Sends a request of the client that orval generates. */
export async function send<Answer>(path: string, options: RequestInit): Promise<Answer> {
  const headers = new Headers(options.headers);
  headers.set('Authorization', `Bearer ${SERVICE.apiKey}`);
  headers.set('X-Account-Id', SERVICE.accountId);
  const response = await fetch(`${SERVICE.url}${path}`, { ...options, headers });
  const text = await response.text();
  return { status: response.status, headers: response.headers, data: text === '' ? undefined : JSON.parse(text) } as Answer;
}
