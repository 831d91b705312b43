import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import { builtPages } from '@affiliate/web/built-pages';
import type { TestProject } from 'vitest/node';
import { unpackedChromium } from './chromium/index.ts';
import { COMPILE_CACHE } from './compile-cache.ts';
import { databaseUrl, onServer } from './postgres.ts';
import { type Proxies, startProxies } from './prism.ts';
import { SEED } from './seed.ts';

/**
 * Provides one PostgreSQL server for the whole run, with a template database that `createTestDatabase` copies. Uses the server of TEST_DATABASE_URL,
 * whose user must be allowed to create databases. Without that variable, starts a server and removes it after the run.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  process.stdout.write(`TEST_SEED=${SEED}\n`);
  const given = process.env['TEST_DATABASE_URL'];
  const [server, { prepareTemplate }] = await Promise.all([
    given ? { url: given, stop: async () => undefined } : startPostgres(),
    // Imported dynamically, so that the whole program, which this module imports, is loaded while PostgreSQL starts.
    import('./template.ts'),
    // Done once now, because several tests need the results at the same time.
    builtPages(),
    unpackedChromium(),
  ]);
  const template = `affiliate_template_${randomBytes(6).toString('hex')}`;
  await onServer(server.url, `CREATE DATABASE ${template}`);
  await prepareTemplate(databaseUrl(server.url, template));
  // For a template database, copying its files is faster than copying it through the write-ahead log, if nothing is synced to a disk.
  project.provide('postgres', { url: server.url, template, strategy: given ? 'wal_log' : 'file_copy' });
  const prism = process.env['PRISM'] === 'on' ? await startProxies() : null;
  project.provide('proxies', prism?.proxies ?? null);
  return async () => {
    await prism?.stop();
    await onServer(server.url, `DROP DATABASE ${template} WITH (FORCE)`);
    await server.stop();
  };
}

async function startPostgres(): Promise<{ url: string; stop: () => Promise<void> }> {
  const program = fileURLToPath(new URL('postgres-process.ts', import.meta.url));
  // Detached, because Ctrl-C must not stop PostgreSQL before the tests have closed their connections.
  const child = spawn(process.execPath, [program], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...COMPILE_CACHE },
    detached: true,
  });
  const exited = once(child, 'exit');
  const [url] = await Promise.race([
    once(createInterface(child.stdout), 'line') as Promise<[string]>,
    exited.then(() => Promise.reject(new Error('PostgreSQL for the tests did not start'))),
  ]);
  return {
    url,
    stop: async () => {
      child.stdin.end();
      await exited;
    },
  };
}

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: { url: string; template: string; strategy: 'wal_log' | 'file_copy' };
    proxies: Proxies | null;
  }
}
