import { CONTRACT_NAMES } from '@affiliate/rest/contract';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { OPERATIONS } from '../support/contract.ts';
import { useService } from '../support/suite.ts';

const service = useService();

const get = (path: string, headers: Record<string, string> = {}) => fetch(`${service.url}${path}`, { headers });

describe.each(CONTRACT_NAMES)('/openapi/%s', (name) => {
  it('serves one document as YAML and as JSON, to anyone', async () => {
    const yaml = await get(`/openapi/${name}.yaml`);
    const json = await get(`/openapi/${name}.json`);
    expect([yaml.status, json.status]).toEqual([200, 200]);
    expect(yaml.headers.get('content-type')).toMatch(/^application\/yaml/);
    expect(json.headers.get('content-type')).toMatch(/^application\/json/);
    expect(yaml.headers.get('access-control-allow-origin')).toBe('*');
    const document = (await json.json()) as { openapi: string; servers: { url: string }[] };
    expect(parse(await yaml.text())).toEqual(document);
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(document.servers[0]!.url).toBe(service.services.publicUrl);
  });

  it('serves its requests as a collection', async () => {
    const collection = (await (await get(`/openapi/${name}.postman.json`)).json()) as {
      info: { schema: string };
      item: { name: string; item: { request: { url: { raw: string }; method: string } }[] }[];
    };
    expect(collection.info.schema).toContain('collection/v2.1.0');
    const requests = collection.item.flatMap(({ item }) => item.map(({ request }) => `${request.method} ${request.url.raw}`));
    const operations = OPERATIONS.filter(({ contract, operation }) => contract === name && operation.security === undefined);
    const expected = operations.map(({ method, path }) => `${method} {{base_url}}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`);
    expect(requests.toSorted()).toEqual(expected.toSorted());
  });

  it('answers 304 to a client that has the current version', async () => {
    const first = await get(`/openapi/${name}.yaml`);
    // Sets Cache-Control, because otherwise fetch adds one that asks for a full response.
    const having = (etag: string) => get(`/openapi/${name}.yaml`, { 'If-None-Match': etag, 'Cache-Control': 'max-age=0' });
    const again = await having(first.headers.get('etag')!);
    expect(again.status).toBe(304);
    expect(await again.text()).toBe('');
    expect((await having('"another"')).status).toBe(200);
  });
});

describe('/docs', () => {
  it('is a page that loads everything from this service and contains no inline scripts', async () => {
    const page = await get('/docs');
    const html = await page.text();
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    expect(html).not.toMatch(/<script(?![^>]*src=)|\son\w+=|<style/);
    const assets = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address!);
    expect(assets.length).toBeGreaterThan(3);
    for (const address of assets) {
      expect(address).toMatch(/^\//);
      const asset = await get(address);
      expect([address, asset.status]).toEqual([address, 200]);
      await asset.arrayBuffer();
    }
  });

  it('names every contract', async () => {
    const html = await (await get('/docs')).text();
    const [links] = [[...html.matchAll(/href="\/docs\?contract=([\w-]+)"/g)].map(([, name]) => name)];
    expect(links).toEqual([...CONTRACT_NAMES]);
    for (const name of CONTRACT_NAMES) expect(html).toContain(`href="/openapi/${name}.yaml"`);
    expect((await get(`/docs?contract=${CONTRACT_NAMES[1]}`)).status).toBe(200);
  });

  it('links to guides that exist, and shows each as Markdown', async () => {
    const html = await (await get('/docs')).text();
    const guides = [...html.matchAll(/href="(\/docs\/[\w-]+\.md)"/g)].map(([, path]) => path!);
    expect(guides).toHaveLength(6);
    for (const path of guides) {
      const guide = await get(path);
      expect([path, guide.status, guide.headers.get('content-type')]).toEqual([path, 200, 'text/markdown; charset=utf-8']);
      expect(await guide.text()).toMatch(/^# /);
    }
  });

  it('lists every manual for language models, in /llms.txt and as a whole in /llms-full.txt', async () => {
    const list = await (await get('/llms.txt')).text();
    expect(list).toMatch(/^# Affiliate program service\n\n> /);
    const { publicUrl } = service.services;
    const manuals = [...list.matchAll(/\((\S+)\)/g)].map(([, url]) => url!).filter((url) => url.endsWith('.md'));
    expect(manuals.length).toBeGreaterThan(12);
    const full = await (await get('/llms-full.txt')).text();
    for (const url of manuals) {
      const text = await (await get(url.replace(publicUrl, ''))).text();
      expect(full).toContain(text.trim());
    }
    for (const internal of ['style', 'walks', 'first-change']) {
      expect(list).not.toContain(`/docs/${internal}.md`);
      expect((await get(`/docs/${internal}.md`)).status).toBe(404);
    }
  });

  it('serves no other files', async () => {
    for (const path of ['/docs/package.json', '/docs/../package.json', '/docs/%2e%2e/package.json', '/docs/swagger-ui.js.map']) {
      expect((await get(path)).status).toBe(404);
    }
  });
});
