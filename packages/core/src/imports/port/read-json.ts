import { SourceFailure } from './import-kind.ts';

const TIMEOUT_MS = 30_000;
const MAX_BYTES = 8 * 1_048_576;
/** Seconds after which a source is asked again that does not say when. */
const RETRY_SECONDS = 30;
const MAX_RETRY_SECONDS = 3_600;

/**
 * Reads a JSON object or array from the API of a tool.
 *
 * @throws SourceFailure
 */
export async function readJson(url: string, headers: Readonly<Record<string, string>>): Promise<object> {
  const response = await asked(url, headers);
  const { status } = response;
  if (status === 401) throw new SourceFailure('key_refused');
  if (status === 402 || status === 403) throw new SourceFailure('no_api_access');
  if (status === 429 || status >= 500)
    throw new SourceFailure('unreachable', { retryAfter: secondsIn(response.headers.get('retry-after')) });
  const body = await bodyOf(response);
  if (status !== 200) throw new SourceFailure('not_understood');
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // A page of HTML, e.g. of maintenance.
  }
  throw new SourceFailure('not_understood', { retryAfter: RETRY_SECONDS });
}

async function asked(url: string, headers: Readonly<Record<string, string>>): Promise<Response> {
  try {
    return await fetch(url, {
      headers: { ...headers, accept: 'application/json' },
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  } catch {
    throw new SourceFailure('unreachable', { retryAfter: RETRY_SECONDS });
  }
}

async function bodyOf(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const part of response.body ?? []) {
      size += part.byteLength;
      if (size > MAX_BYTES) throw new SourceFailure('not_understood');
      parts.push(part);
    }
  } catch (error) {
    if (error instanceof SourceFailure) throw error;
    throw new SourceFailure('unreachable', { retryAfter: RETRY_SECONDS });
  }
  return Buffer.concat(parts).toString();
}

function secondsIn(header: string | null): number {
  const seconds = Number(header);
  return header !== null && Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, MAX_RETRY_SECONDS) : RETRY_SECONDS;
}
