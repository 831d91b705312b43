import { type Services, forgetResults, isServedHere, notFound, openDownload, rateLimited } from '@affiliate/core';
import { type Request, type Response, Router } from 'express';
import { writePart } from './backpressure.ts';
import type { RateLimits } from './rate-limits.ts';
import { networkOf, stateOf } from './request-state.ts';

/** Maximum number of files that one client downloads at the same time. Browsers open six connections to a host. */
const MOST_OPEN = 32;
const RETRY_SECONDS = 1;

/** Limits the number of files that a client downloads at the same time, because each of them holds a part of its file in memory. */
interface OpenFiles {
  /** Counts a download until its connection has taken it or has ended. Throws RATE_LIMITED if the client has too many. */
  begin(client: string, response: Response): void;
}

function createOpenFiles(): OpenFiles {
  const numbers = new Map<string, number>();
  return {
    begin: (client, response) => {
      const open = numbers.get(client) ?? 0;
      if (open >= MOST_OPEN) throw rateLimited(RETRY_SECONDS);
      numbers.set(client, open + 1);
      response.once('close', () => {
        const left = numbers.get(client)! - 1;
        if (left > 0) numbers.set(client, left);
        else numbers.delete(client);
      });
    },
  };
}

/**
 * Serves `GET /files/<sealed name>`: a file that a merchant gives to affiliates, in parts, as fast as the client reads; a statement of a payout; and the file of
 * an export. The address itself is the permission (docs/rules/portal.md#assets). Files are sent as downloads, so that no browser shows them as pages of this service.
 */
export function files(services: Services, limits: RateLimits): Router {
  const openFiles = createOpenFiles();
  return Router().get('/files/:name', limits.publicAddress, async (request, response) => {
    stateOf(request).route = '/files';
    stateOf(request).unread?.assertRoom(response);
    openFiles.begin(networkOf(request), response);
    const file = await openDownload(services, String(request.params['name']));
    if (!file || !isServedHere(stateOf(request), file.accountId)) throw notFound('file');
    response
      .attachment(file.name)
      .setHeader('Content-Type', 'application/octet-stream')
      .setHeader('Cache-Control', 'private, no-store')
      .setHeader('Accept-Ranges', 'bytes');
    const range = takeRange(request, response, file.size);
    if (range === null) {
      response.status(416).setHeader('Content-Range', `bytes */${file.size}`).end();
      return;
    }
    const { start, end } = range;
    response.setHeader('Content-Length', end + 1 - start);
    for await (const part of request.method === 'HEAD' ? [] : file.read(start, end)) {
      await writePart(response, part);
      forgetResults();
      // The client has gone away, so the rest of the file is not read.
      if (response.destroyed) return;
    }
    response.end();
  });
}

/** Returns the part of the file that the request asks for, or null if there is no such part. Several parts at a time are answered with the whole file. */
function takeRange(request: Request, response: Response, size: number): { start: number; end: number } | null {
  const requested = request.range(size);
  if (requested === -1) return null;
  if (!Array.isArray(requested) || requested.length !== 1 || requested.type !== 'bytes') return { start: 0, end: size - 1 };
  const { start, end } = requested[0]!;
  response.status(206).setHeader('Content-Range', `bytes ${start}-${end}/${size}`);
  return { start, end };
}
