import { once } from 'node:events';
import { Readable } from 'node:stream';
import {
  type AllowedNetworks,
  type Fetch,
  NoAnswer,
  type ReadDocument,
  type ReadPage,
  type ResolveHost,
  checkEndpointUrl,
} from '@affiliate/core';
import type { Pool } from 'undici';
import { openPool } from './endpoint-connections.ts';

const MAX_BYTES = 1 << 20;
/** Maximum size of a document, as the draft of Client ID Metadata Documents recommends. */
const MAX_DOCUMENT_BYTES = 5 * 1024;
const MAX_REDIRECTS = 5;
/** Time limit of all requests together, redirects included. */
const TIMEOUT_MS = 8_000;
const CONNECT_TIMEOUT_MS = 4_000;

interface PageReaderOptions {
  resolve: ResolveHost;
  allowed: AllowedNetworks;
  timeoutMs?: number;
}

/**
 * Creates a reader of pages on merchants' sites. It requests pages as a browser does, but does not execute them. Each URL, including the
 * targets of redirects, is checked like the URL of a webhook endpoint, and connections use only the checked addresses
 * (docs/rules/webhooks.md#addresses).
 */
export function createPageReader({ timeoutMs = TIMEOUT_MS, ...guard }: PageReaderOptions): ReadPage {
  return async (start) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const late = new Promise<'unreachable'>((resolve) => {
      signal.addEventListener('abort', () => resolve('unreachable'), { once: true });
    });
    let url = start;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      const target = await Promise.race([checkEndpointUrl(url, guard), late]);
      if (target === 'unreachable') return target;
      if (!target.ok)
        return target.code === 'dns_error' ? 'unreachable' : target.code === 'invalid_uri' ? 'invalid_url' : 'refused';
      const pool = openPool(target.url, target.addresses, CONNECT_TIMEOUT_MS);
      try {
        const answer = await get(pool, target.url, signal);
        if (typeof answer === 'string') return answer;
        if ('html' in answer) return { ...answer, url: target.url.href };
        const next = URL.parse(answer.location, target.url.href);
        if (next === null) return 'error_page';
        url = next.href;
      } catch {
        return 'unreachable';
      } finally {
        void pool.destroy();
      }
    }
    return 'too_many_redirects';
  };
}

/** Requests one URL. Returns the page, the target of its redirect, or why there is no page. */
async function get(
  pool: Pool,
  { pathname, search }: URL,
  signal: AbortSignal,
): Promise<'error_page' | 'not_html' | { location: string } | { policies: string[]; html: string }> {
  const { statusCode, headers, body } = await pool.request({
    method: 'GET',
    path: pathname + search,
    headers: { accept: 'text/html', 'user-agent': 'AffiliateInstallCheck/1.0' },
    signal,
  });
  const location = headers.location;
  if (statusCode >= 300 && statusCode < 400 && typeof location === 'string') return { location };
  if (statusCode >= 300) return 'error_page';
  if (!String(headers['content-type'] ?? '').includes('html')) return 'not_html';
  const policies = [headers['content-security-policy'] ?? []].flat().flatMap((policy) => policy.split(','));
  return { policies, html: await textOf(body, MAX_BYTES) };
}

/**
 * Creates a reader of JSON documents of other services. The URL is checked like the URL of a webhook endpoint, and the connection uses only the
 * checked addresses (docs/rules/webhooks.md#addresses).
 */
export function createDocumentReader({ timeoutMs = TIMEOUT_MS, ...guard }: PageReaderOptions): ReadDocument {
  return async (url) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const late = once(signal, 'abort').then(() => null);
    const target = await Promise.race([checkEndpointUrl(url, guard), late]);
    if (target === null || !target.ok) return null;
    const pool = openPool(target.url, target.addresses, CONNECT_TIMEOUT_MS);
    try {
      const { statusCode, headers, body } = await pool.request({
        method: 'GET',
        path: target.url.pathname + target.url.search,
        headers: { accept: 'application/json', 'user-agent': 'AffiliateService/1.0' },
        signal,
      });
      if (statusCode !== 200 || !/^application\/([\w.-]+\+)?json\b/.test(String(headers['content-type'] ?? ''))) return null;
      const text = await textOf(body, MAX_DOCUMENT_BYTES + 1);
      return Buffer.byteLength(text) > MAX_DOCUMENT_BYTES ? null : text;
    } catch {
      return null;
    } finally {
      void pool.destroy();
    }
  };
}

/**
 * Creates a `fetch` for addresses that merchants enter, which are checked like the URL of a webhook endpoint. Its connections use only the checked
 * addresses (docs/rules/webhooks.md#addresses). Sends text bodies. Follows no redirects. Throws `NoAnswer` for an address that is not public.
 */
export function createPublicFetch(guard: Omit<PageReaderOptions, 'timeoutMs'>): Fetch {
  return async (url, { method = 'GET', headers, body, signal }) => {
    const target = await checkEndpointUrl(url, guard);
    if (!target.ok) throw new NoAnswer(target.code === 'dns_error' ? 'unreachable' : 'refused');
    const pool = openPool(target.url, target.addresses, CONNECT_TIMEOUT_MS);
    try {
      const answer = await pool.request({
        path: `${target.url.pathname}${target.url.search}`,
        method,
        headers: headers as Record<string, string>,
        body: typeof body === 'string' ? body : null,
        signal: signal ?? null,
      });
      if (answer.statusCode >= 300 && answer.statusCode < 400) {
        await answer.body.dump();
        throw new NoAnswer('unreachable');
      }
      const names = Object.entries(answer.headers).flatMap(([name, value]): [string, string][] =>
        value === undefined ? [] : [[name, String(value)]],
      );
      const isEmpty = answer.statusCode === 204 || answer.statusCode === 205;
      return new Response(isEmpty ? null : (Readable.toWeb(answer.body) as ReadableStream), {
        status: answer.statusCode,
        headers: names,
      });
    } finally {
      // Waits until the body has been read.
      void pool.close();
    }
  };
}

async function textOf(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size >= maxBytes) break;
  }
  return new TextDecoder().decode(Buffer.concat(chunks, Math.min(size, maxBytes)));
}
