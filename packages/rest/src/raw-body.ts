import { finished } from 'node:stream';
import { beginUpload, DomainError, takeTurn, untranslated, type Reason } from '@affiliate/core';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { DOOR_REASONS } from './reasons.ts';
import { partyOf } from './request-state.ts';

/** The bodies that a door accepts. */
export interface BodyLimits {
  /** Maximum size of the body, decompressed. */
  readonly maxBytes: number;
  readonly mayBeCompressed: boolean;
  /** Reads and decompresses a body. */
  readonly read: RequestHandler;
}

function bodyLimits(maxBytes: number, mayBeCompressed: boolean): BodyLimits {
  return { maxBytes, mayBeCompressed, read: express.raw({ limit: maxBytes, inflate: mayBeCompressed, type: () => true }) };
}

const KIB = 1024;
/** Size up to which a body is parsed and checked without waiting for a turn, because that takes no time. */
const SMALL_BYTES = KIB;
const KNOWN_CALLER = bodyLimits(1024 * KIB, true);
const STRANGER = bodyLimits(16 * KIB, false);

/** Returns the limits of bodies from callers whose credentials have been checked. `maxBytes` is what the operation declares. */
export function ofKnownCaller(maxBytes?: number): BodyLimits {
  return maxBytes === undefined ? KNOWN_CALLER : bodyLimits(maxBytes, true);
}

/**
 * Returns the limits of bodies from callers without credentials. `maxBytes` is what the operation declares. A compressed body of 1 KB can be a
 * megabyte of JSON, so strangers may not send one (docs/rules/platform.md#bodies).
 */
export function ofStranger(maxBytes?: number): BodyLimits {
  return maxBytes === undefined ? STRANGER : bodyLimits(maxBytes, false);
}

export function hasBody(request: Request): boolean {
  return request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
}

/**
 * Reads the bytes of the body. Returns no bytes if there is no body. A body that is larger than usual waits until fewer than two others of the party are
 * under way, which they are until they have been answered.
 *
 * @throws UNSUPPORTED_MEDIA_TYPE, MALFORMED_JSON, PAYLOAD_TOO_LARGE
 */
export async function readRawBody(request: Request, response: Response, limits: BodyLimits): Promise<Uint8Array> {
  if (limits.maxBytes > KNOWN_CALLER.maxBytes && knownLength(request) > KNOWN_CALLER.maxBytes)
    // Also calls back if the client has gone away meanwhile.
    finished(response, await beginUpload(partyOf(request)));
  await new Promise<void>((resolve, reject) => {
    limits.read(request, response, (error?: unknown) => (error === undefined ? resolve() : reject(refusal(error, limits))));
  });
  // The parser does not set `request.body` if there is no body.
  const bytes: Uint8Array = request.body instanceof Uint8Array ? request.body : new Uint8Array();
  // An idle connection keeps its last request.
  delete request.body;
  if (bytes.length > SMALL_BYTES) await takeTurn(partyOf(request));
  return bytes;
}

/** Returns the length of the body, decompressed. Infinity if it is not known before. */
function knownLength({ headers }: Request): number {
  return headers['content-encoding'] === undefined ? Number(headers['content-length'] ?? Infinity) : Infinity;
}

/** Translates the body parser's error into an error of this service. */
function refusal(error: unknown, { maxBytes, mayBeCompressed }: BodyLimits): unknown {
  switch ((error as { type?: string }).type) {
    case 'entity.too.large':
      return new DomainError('PAYLOAD_TOO_LARGE', untranslated(`The body is larger than ${inUnits(maxBytes)}.`));
    case 'request.size.invalid':
      return new DomainError('MALFORMED_JSON', untranslated('The length of the body does not match Content-Length.'));
    case 'request.aborted':
      return new DomainError('MALFORMED_JSON', untranslated('The connection ended before the whole body arrived.'));
    case 'encoding.unsupported':
      return new DomainError(
        'UNSUPPORTED_MEDIA_TYPE',
        untranslated(
          mayBeCompressed
            ? 'This content encoding is not supported. Use gzip, deflate, br or none.'
            : 'A content encoding is not supported here. Send the body uncompressed.',
        ),
      );
  }
  // A damaged compressed body fails with a zlib error.
  const isBroken = error instanceof Error && 'status' in error && error.status === 400;
  return isBroken ? new DomainError('MALFORMED_JSON', untranslated('The body could not be decompressed.')) : error;
}

function inUnits(bytes: number): string {
  return bytes < KIB * KIB ? `${bytes / KIB} KiB` : `${bytes / KIB / KIB} MiB`;
}

/** Types that programs send when they mean something other than the bytes of a file. */
const NOT_A_FILE = /^(application\/([\w.+-]+\+)?json|application\/x-www-form-urlencoded|multipart\/.*)$/i;

/**
 * Returns the bytes of the file that is the body of a request, as they arrive. The type in the header does not matter: the bytes determine it.
 *
 * @throws UNSUPPORTED_MEDIA_TYPE for JSON, forms, and compressed or missing bodies; PAYLOAD_TOO_LARGE if the announced length is too large; while reading,
 *   MALFORMED_REQUEST if the connection ends before the whole file has arrived
 */
export function uploadOf(request: Request, maxBytes: number): AsyncIterable<Buffer> {
  const { 'content-type': type = '', 'content-encoding': encoding, 'content-length': length } = request.headers;
  if (NOT_A_FILE.test(type.split(';', 1)[0]!.trim()))
    throw new DomainError('UNSUPPORTED_MEDIA_TYPE', DOOR_REASONS.file_not_sent_as_bytes);
  if (encoding !== undefined && encoding !== 'identity')
    throw new DomainError('UNSUPPORTED_MEDIA_TYPE', DOOR_REASONS.content_encoding);
  if (Number(length ?? 0) > maxBytes) throw new DomainError('PAYLOAD_TOO_LARGE', tooBig(maxBytes));
  return bytesOf(request);
}

export function tooBig(maxBytes: number): Reason {
  return DOOR_REASONS.file_too_large({ max: inUnits(maxBytes) });
}

async function* bytesOf(request: Request): AsyncGenerator<Buffer> {
  try {
    // The request stays open if the rest is not read, because the client still gets an answer.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) yield chunk as Buffer;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error;
    throw new DomainError('MALFORMED_REQUEST', DOOR_REASONS.file_incomplete);
  }
}
