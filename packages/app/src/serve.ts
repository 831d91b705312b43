import type { Services } from '@affiliate/core';
import { type Configuration, publicUrl, readConfiguration } from './configuration.ts';
import { welcome } from './demo/welcome.ts';
import type { Installation } from './installation.ts';
import { untilShutdownRequested } from './lifetime.ts';
import { openLog } from './log.ts';

type Logger = ReturnType<typeof openLog>;
export type Part = 'rest' | 'worker';

/** Preloading waits until the first requests after the start are served. */
const PRELOAD_AFTER_MS = 10_000;
/** Less than the minute in which an occurrence of a schedule counts as due. */
const SCHEDULE_CHECK_SECONDS = 30;

/** Runs parts of the service in this process until shutdown is requested, then finishes running work. Loads only what these parts need. */
export async function serve(parts: readonly Part[], { demo = false }: { demo?: boolean } = {}): Promise<void> {
  const shutdown = untilShutdownRequested();
  const configuration = readConfiguration(process.env);
  const log = openLog(configuration.LOG_LEVEL, 'stdout');
  // Closed in reverse order: the HTTP server first, the database last.
  await using running = new AsyncDisposableStack();

  const [{ openInstallation }, { WakeUpChannel }] = await Promise.all([
    import('./installation.ts'),
    import('@affiliate/worker/wake-up-channel'),
  ]);
  const installation = await openInstallation(configuration, log);
  running.defer(() => installation.close());
  const isWorker = parts.includes('worker');
  const { databaseUrl } = installation;
  const channel = new WakeUpChannel({ url: databaseUrl, log });
  running.defer(() => channel.close());
  const services: Services = { ...installation.services, wakeUps: channel.wakeUps };
  const http = parts.includes('rest') ? await import('./http.ts') : null;
  const metrics = http?.createMetrics();
  if (isWorker) {
    const { JobQueue, startMaintenance, startWorker } = await import('@affiliate/worker');
    const worker = await startWorker(services, { databaseUrl, wakeUps: channel, metrics });
    running.defer(() => worker.stop());
    const queue = await JobQueue.open({ url: databaseUrl, log, scheduleCheckSeconds: SCHEDULE_CHECK_SECONDS });
    running.defer(() => queue.close());
    const maintenance = await startMaintenance(services, queue);
    running.defer(() => maintenance.stop());
    log.info({}, 'worker started');
  }
  if (http) {
    const server = await http.openDoors(services, configuration, metrics);
    running.defer(() => server.close());
    log.info({ url: server.url }, 'listening');
  }
  const preloading = setTimeout(() => void preload(log, http), PRELOAD_AFTER_MS);
  running.defer(() => clearTimeout(preloading));
  if (demo) await greet(installation, configuration);
  log.info({ reason: await shutdown }, 'ending');
}

/** Loads every module ahead: a process keeps the version it started with when files are replaced, and no later request waits for a library. */
async function preload(log: Logger, http: { preloadDoors: () => Promise<void> } | null): Promise<void> {
  try {
    const { preload } = await import('@affiliate/core');
    await preload();
    await http?.preloadDoors();
    log.debug({}, 'preloaded');
  } catch (err) {
    log.warn({ err }, 'preloading failed; modules are loaded when they are needed');
  }
}

/** Creates something to try on the first start. Only on the embedded database, never on an operator's own. */
async function greet({ services, embedded }: Installation, configuration: Configuration): Promise<void> {
  if (!embedded) return;
  const { createDemoAccount } = await import('./demo/demo-account.ts');
  const demo = await createDemoAccount(services);
  process.stdout.write(welcome(publicUrl(configuration), demo));
}
