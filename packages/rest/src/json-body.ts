import { ApiError } from '@affiliate/core';
import express, { type Request, type Response } from 'express';

const LIMIT = '1mb';
const parse = express.json({ limit: LIMIT, strict: false, type: () => true });

/** Which error a refusal of the body parser is. */
const REFUSALS: Record<string, () => ApiError> = {
  'entity.too.large': () => new ApiError('PAYLOAD_TOO_LARGE', 'The body is larger than 1 MiB.'),
  'entity.parse.failed': () => new ApiError('MALFORMED_JSON', 'The body is not valid JSON.'),
  'request.size.invalid': () => new ApiError('MALFORMED_JSON', 'The body is not as long as Content-Length says.'),
  'request.aborted': () => new ApiError('MALFORMED_JSON', 'The body did not arrive whole.'),
  'encoding.unsupported': () => new ApiError('UNSUPPORTED_MEDIA_TYPE', 'This content encoding is not supported.'),
  'charset.unsupported': () => new ApiError('UNSUPPORTED_MEDIA_TYPE', 'This character set is not supported.'),
};

/**
 * The JSON object in the body; `{}` when there is none.
 *
 * @throws UNSUPPORTED_MEDIA_TYPE, MALFORMED_JSON, PAYLOAD_TOO_LARGE; VALIDATION_ERROR when it is not an object
 */
export async function readJsonBody(request: Request, response: Response): Promise<Record<string, unknown>> {
  if (!hasBody(request)) return {};
  if (!/^application\/([\w.+-]+\+)?json$/i.test((request.headers['content-type'] ?? '').split(';')[0]!.trim())) {
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json.');
  }
  await new Promise<void>((resolve, reject) => {
    parse(request, response, (error?: unknown) => (error === undefined ? resolve() : reject(bodyRefusal(error))));
  });
  const body: unknown = request.body ?? {};
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new ApiError('VALIDATION_ERROR', 'The body must be a JSON object.', [
      { path: '', code: 'invalid_type', message: 'The body must be a JSON object.' },
    ]);
  }
  return body as Record<string, unknown>;
}

function hasBody(request: Request): boolean {
  return request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
}

/** What the body parser threw, as the error it means. */
export function bodyRefusal(error: unknown): unknown {
  const { type } = error as { type?: string };
  if (type !== undefined && REFUSALS[type]) return REFUSALS[type]();
  // Inflating a broken compressed body fails with zlib's own error.
  return error instanceof Error && 'status' in error && error.status === 400 ? REFUSALS['entity.parse.failed']!() : error;
}
