import type { Services } from '@affiliate/core';
import { mcpOverHttp } from '@affiliate/mcp';
import { type HttpServer, type RestOptions, createApp, createMetrics, listen } from '@affiliate/rest';
import { builtPages } from '@affiliate/web/built-pages';
import { JobQueue, startWorker } from '@affiliate/worker';
import { type Configuration, readConfiguration } from './configuration.ts';
import { createDemoAccount } from './demo/demo-account.ts';
import { welcome } from './demo/welcome.ts';
import { isErrno } from './errno.ts';
import { type Installation, openInstallation, publicUrl } from './installation.ts';
import { untilAskedToEnd } from './lifetime.ts';
import { openLog } from './log.ts';
import { OperatorError } from './operator-error.ts';

export type Part = 'rest' | 'worker';

/** Runs parts of the service in this process until it is asked to end, then lets what runs come to its end. */
export async function serve(parts: readonly Part[], { demo = false }: { demo?: boolean } = {}): Promise<void> {
  const asked = untilAskedToEnd();
  const configuration = readConfiguration(process.env);
  const log = openLog(configuration.LOG_LEVEL, 'stdout');
  // Closed in reverse: first what takes work in, last the database.
  await using running = new AsyncDisposableStack();

  const installation = await openInstallation(configuration, log);
  running.defer(() => installation.close());
  const queue = await JobQueue.open({ url: installation.databaseUrl, log });
  running.defer(() => queue.close());
  const services: Services = { ...installation.services, wakeUps: queue.wakeUps };
  const metrics = createMetrics();
  if (parts.includes('worker')) {
    const worker = await startWorker(services, { databaseUrl: installation.databaseUrl, queue, metrics });
    running.defer(() => worker.stop());
    log.info({}, 'working');
  }
  if (parts.includes('rest')) {
    const doors: RestOptions['doors'] = { '/mcp': (limits) => mcpOverHttp(services, limits) };
    const pages = await builtPages();
    const server = await listenAt(configuration, createApp(services, { ...restOptions(configuration), metrics, doors, pages }));
    running.defer(() => server.close());
    log.info({ url: server.url }, 'listening');
  }
  if (demo) await greet(installation, configuration);
  log.info({ reason: await asked }, 'ending');
}

function restOptions(configuration: Configuration): RestOptions {
  return {
    trustedProxies: configuration.TRUSTED_PROXIES,
    rateLimits: {
      caller: configuration.RATE_LIMIT_PER_MINUTE,
      publicAddress: configuration.RATE_LIMIT_PUBLIC_PER_MINUTE,
      failedCredentials: configuration.RATE_LIMIT_FAILED_CREDENTIALS_PER_MINUTE,
    },
  };
}

async function listenAt({ HOST, PORT }: Configuration, app: ReturnType<typeof createApp>): Promise<HttpServer> {
  try {
    return await listen(app, { host: HOST, port: PORT });
  } catch (error) {
    if (isErrno(error, 'EADDRINUSE')) throw new OperatorError(`Port ${PORT} on ${HOST} is in use: set PORT to another one`);
    if (isErrno(error, 'EACCES'))
      throw new OperatorError(`Port ${PORT} needs more rights than this user has: set PORT to another one`);
    if (isErrno(error, 'EADDRNOTAVAIL', 'ENOTFOUND')) throw new OperatorError(`HOST ${HOST} is no address of this machine`);
    throw error;
  }
}

/** Somebody who has just started the service for the first time finds something to try. Never on a database of theirs. */
async function greet({ services, embedded }: Installation, configuration: Configuration): Promise<void> {
  if (!embedded) return;
  const demo = await createDemoAccount(services);
  process.stdout.write(welcome(publicUrl(configuration), demo));
}
