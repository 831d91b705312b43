import { t } from '../texts/connection.ts';
import { language } from '../texts/language.ts';
import type { Envelope } from './envelope.ts';
import { isEmbedded, renewPortalToken } from './portal-token.ts';

/** Returns an error of the service in the page's language. The service answers in English; the translations are loaded with the first error. */
export async function envelopeInLanguage(envelope: Envelope): Promise<Envelope> {
  if (language === 'en') return envelope;
  try {
    const { envelopeInGerman } = await import('../texts/refusals/translate.ts');
    return envelopeInGerman(envelope);
  } catch {
    // The translations could not be loaded.
    return { error: t.refused, code: envelope.code };
  }
}

/** Returns a message of the service about the payment provider, in the page's language. */
export async function messageInLanguage(message: string): Promise<string> {
  return (await envelopeInLanguage({ error: message, code: 'PSP_ERROR' })).error;
}

interface Answer {
  error?: { message: string; data?: Envelope };
}

/**
 * Calls the service. In a portal that is embedded in another site, a call with an expired token is repeated with a new one. The service has done nothing for a
 * call with an expired token, and what somebody has typed stays.
 */
const fetchRenewed: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  if (response.status !== 401 || !isEmbedded()) return response;
  const token = await renewPortalToken();
  if (token === null) return response;
  const headers = new Headers(init?.headers);
  headers.set('X-Portal-Token', token);
  return fetch(input, { ...init, headers });
};

/** Like `fetch`, for tRPC requests. Errors in the answer are in the page's language. */
export const fetchInLanguage: typeof fetch = async (input, init) => {
  const response = await fetchRenewed(input, init);
  // 207 is the status of a batch in which some calls failed.
  if (language === 'en' || (response.ok && response.status !== 207)) return response;
  const text = await response.text();
  return new Response(await answersInLanguage(text), {
    status: response.status,
    statusText: response.statusText,
    headers: response.headers,
  });
};

async function answersInLanguage(text: string): Promise<string> {
  let body: Answer | Answer[];
  try {
    body = JSON.parse(text) as Answer | Answer[];
  } catch {
    // A proxy has answered instead of the service.
    return text;
  }
  return JSON.stringify(Array.isArray(body) ? await Promise.all(body.map(answerInLanguage)) : await answerInLanguage(body));
}

async function answerInLanguage(answer: Answer): Promise<Answer> {
  if (!answer.error?.data) return answer;
  const envelope = await envelopeInLanguage(answer.error.data);
  return { error: { ...answer.error, message: envelope.error, data: { ...answer.error.data, ...envelope } } };
}
