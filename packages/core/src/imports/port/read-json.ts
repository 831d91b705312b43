import { askJson, type JsonAnswer, NoAnswer } from '../../platform/operations/ask-json.ts';
import { SourceFailure } from './import-kind.ts';

const TIMEOUT_MS = 30_000;
/** Seconds after which a source is asked again that does not say when. */
const RETRY_SECONDS = 30;
const MAX_RETRY_SECONDS = 3_600;

/**
 * Reads a JSON object or array from the API of a tool.
 *
 * @throws SourceFailure
 */
export async function readJson(url: string, headers: Readonly<Record<string, string>>): Promise<object> {
  const { status, value, retryAfter } = await asked(url, headers);
  if (status === 401) throw new SourceFailure('key_refused');
  if (status === 402 || status === 403) throw new SourceFailure('no_api_access');
  if (status === 429 || status >= 500)
    throw new SourceFailure('unreachable', { retryAfter: Math.min(retryAfter ?? RETRY_SECONDS, MAX_RETRY_SECONDS) });
  if (status !== 200) throw new SourceFailure('not_understood');
  if (typeof value === 'object' && value !== null) return value;
  // A page of HTML, e.g. of maintenance.
  throw new SourceFailure('not_understood', { retryAfter: RETRY_SECONDS });
}

async function asked(url: string, headers: Readonly<Record<string, string>>): Promise<JsonAnswer> {
  try {
    return await askJson(url, { headers, timeoutMs: TIMEOUT_MS });
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    if (error.reason === 'too_large') throw new SourceFailure('not_understood');
    throw new SourceFailure('unreachable', { retryAfter: RETRY_SECONDS });
  }
}
