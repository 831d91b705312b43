import { language } from '../texts/language.ts';
import type { Envelope, Problem } from './envelope.ts';
import { fetchRenewed } from './portal-token.ts';

/** Adds the labels of fields to an error, if the page is German. They are loaded with the first error. */
export async function withLabels(envelope: Envelope): Promise<Envelope> {
  if (language === 'en' || !Array.isArray(envelope.details)) return envelope;
  try {
    const { germanLabelOf } = await import('../texts/fields.ts');
    const details = (envelope.details as Problem[]).map((problem) => ({ ...problem, label: germanLabelOf(problem.path) ?? '' }));
    return { ...envelope, details };
  } catch {
    // The labels could not be loaded.
    return envelope;
  }
}

interface Answer {
  error?: { message: string; data?: Envelope };
}

/** Like `fetch`, for tRPC requests. Errors in the answer have the labels of fields. */
export const fetchWithLabels: typeof fetch = async (input, init) => {
  const response = await fetchRenewed(input, init);
  // 207 is the status of a batch in which some calls failed.
  if (language === 'en' || (response.ok && response.status !== 207)) return response;
  const { status, statusText, headers } = response;
  return new Response(await withLabelsIn(await response.text()), { status, statusText, headers });
};

async function withLabelsIn(text: string): Promise<string> {
  let body: Answer | Answer[];
  try {
    body = JSON.parse(text) as Answer | Answer[];
  } catch {
    // A proxy has answered instead of the service.
    return text;
  }
  return JSON.stringify(Array.isArray(body) ? await Promise.all(body.map(labeled)) : await labeled(body));
}

async function labeled({ error, ...rest }: Answer): Promise<Answer> {
  return error?.data
    ? { error: { ...error, data: { ...error.data, ...(await withLabels(error.data)) } } }
    : { ...rest, ...(error && { error }) };
}
