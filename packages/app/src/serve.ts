import { once } from 'node:events';
import { BUILD } from './build-name.ts';
import { type Configuration, publicUrl, readConfiguration, unknownSettings } from './configuration.ts';
import type { DemoAccount } from './demo/demo-account.ts';
import { invitation, welcome } from './demo/welcome.ts';
import type { Installation } from './installation.ts';
import { endSoon, endWithin, untilShutdownRequested } from './lifetime.ts';
import { openLog } from './log.ts';
import { notifySystemd } from './systemd.ts';

type Logger = ReturnType<typeof openLog>;
export type Part = 'rest' | 'worker';

/** Delay before preloading, so that the first requests after the start are served first. */
const PRELOAD_AFTER_MS = 10_000;
/**
 * Number of seconds between checks of the schedules. Must be less than a minute, because an occurrence of a schedule counts as due for only one
 * minute.
 */
const SCHEDULE_CHECK_SECONDS = 30;

/** Time limit for the shutdown after the drain. Longer than the time limits of requests and deliveries. */
const END_WITHIN_MS = 23_000;
/**
 * Requests that still wait for a database connection this long after the drain are refused, so that requests with a connection are answered in
 * time.
 */
const REFUSE_WAITING_AFTER_MS = 5_000;

/**
 * Runs parts of the service in this process until a shutdown is requested, then finishes running work. Loads only the modules that these
 * parts need.
 */
export async function serve(parts: readonly Part[], { demo = false }: { demo?: boolean } = {}): Promise<void> {
  const shutdown = untilShutdownRequested();
  const configuration = readConfiguration(process.env);
  const log = openLog(configuration.LOG_LEVEL, 'stdout');
  const unknown = unknownSettings(process.env);
  if (unknown.length > 0) log.warn({ unknown }, 'unknown settings are ignored; docs/configuration.md lists the known ones');
  // Closed in reverse order: the HTTP server and the worker first, the database last.
  await using running = new AsyncDisposableStack();
  running.defer(endSoon);

  const { onDatabase, openInstallation } = await import('./installation.ts');
  const isObserved = parts.includes('rest') || configuration.WORKER_PORT !== undefined;
  const monitoring = isObserved ? await import('@affiliate/rest/monitoring') : null;
  const metrics = monitoring?.createMetrics(BUILD);
  const health = monitoring?.createHealth();
  const setting = parts.includes('rest') ? 'PORT' : 'WORKER_PORT';
  const door = isObserved ? new (await import('./front-door.ts')).FrontDoor(setting, configuration, log) : null;
  // Closed after the work, so that the end of a worker can be watched.
  running.use(door);
  const installation = await openInstallation(configuration, log, {
    isOnlyWorker: !parts.includes('rest'),
    onWait: (reason) => door?.wait(reason),
    onMail: metrics?.mailAttempted,
  });
  running.defer(() => installation.close());
  let drainMs = 0;
  const { services, databaseUrl } = installation;
  const demoAccount =
    demo && installation.embedded ? await (await import('./demo/demo-account.ts')).createDemoAccount(services) : null;
  const untilGivenUp = once(services.database.givenUp, 'abort');
  /** Wraps a step of the shutdown that is useless without the database. The step is abandoned once the service gives up on the database. */
  const unlessGivenUp = (step: () => Promise<unknown> | undefined) => async () =>
    void (await Promise.race([step(), untilGivenUp]));
  // Background work and requests do not need each other, so both are closed at the same time, each in reverse order.
  const background = new AsyncDisposableStack();
  const requests = new AsyncDisposableStack();
  running.defer(async () => void (await Promise.all([background.disposeAsync(), requests.disposeAsync()])));
  const http = parts.includes('rest') ? await import('./http.ts') : null;
  metrics?.watchWork(async () =>
    installation.jobs.inspect((await import('@affiliate/worker/job-inspection')).workFigures, {
      queues: [],
      workers: { working: 0, silent: 0 },
      backupAt: null,
    }),
  );
  const work = parts.includes('worker') ? await import('@affiliate/worker') : null;
  const queue =
    work &&
    (await onDatabase(databaseUrl, () =>
      work.JobQueue.open({ url: databaseUrl, log, scheduleCheckSeconds: SCHEDULE_CHECK_SECONDS }),
    ));
  background.defer(unlessGivenUp(() => queue?.close()));
  // Closed only after the HTTP server, because clicks can arrive until the server is closed, and they must still be written.
  const visits = http ? await (await import('@affiliate/core')).openVisits(services, databaseUrl) : null;
  requests.defer(() => visits?.close());
  // Written after the HTTP server has answered its last request.
  requests.defer(async () => (http ? (await import('@affiliate/core')).writeApiLog(services) : undefined));
  /** Functions that stop the background work. They are called at the same time. */
  const stopping: (() => Promise<void>)[] = [];
  let isHanging = () => false;
  background.defer(unlessGivenUp(() => Promise.all(stopping.map((stop) => stop()))));
  if (work && queue) {
    const worker = await work.startWorker(services, { databaseUrl, queue, metrics });
    stopping.push(() => worker.stop());
    const maintenance = await work.startMaintenance(services, queue);
    stopping.push(() => maintenance.stop());
    isHanging = worker.isHanging;
    health?.watchLoop(isHanging);
    log.info(BUILD, 'worker started');
  }
  if (http && door) {
    const server = await door.open(await http.createDoors(services, configuration, { metrics, health }));
    requests.defer(async () => {
      await server.drain(drainMs);
      await server.close();
    });
    log.info({ ...BUILD, url: server.url }, 'listening');
  }
  if (!http && door && monitoring && metrics && health) {
    const options = { metrics, health, metricsToken: configuration.METRICS_TOKEN, ...BUILD };
    const server = await door.open(monitoring.createMonitoring(services, options));
    log.info({ url: server.url }, 'listening');
  }
  const notifying = notifySystemd(async () => !isHanging() && !(await services.database.isStuck()), log);
  running.defer(() => notifying.stop());
  const preloading = setTimeout(() => void preload(log, http), PRELOAD_AFTER_MS);
  running.defer(() => clearTimeout(preloading));
  if (parts.includes('rest')) await greet(installation, configuration, { isDemo: demo, demoAccount });
  const reason = await shutdown;
  log.info({ reason }, 'ending');
  health?.stopAccepting();
  // SIGTERM comes from a supervisor, whose load balancer must notice the shutdown. A person at a terminal sends another signal, and there is
  // no load balancer to wait for.
  if (http && reason === 'SIGTERM') drainMs = configuration.DRAIN_SECONDS * 1_000;
  endWithin(drainMs + END_WITHIN_MS, () => log.error({}, 'ended before all work was finished'));
  const { database } = services;
  database.givenUp.addEventListener('abort', () => log.warn({}, 'the database does not answer; ending without waiting for it'));
  // These timers must not be part of `running`, because everything in `running` is closed as soon as this function returns.
  setTimeout(() => database.giveUpWhenSilent(), drainMs).unref();
  setTimeout(() => database.admission.refuseRequests(), drainMs + REFUSE_WAITING_AFTER_MS).unref();
}

/**
 * Loads all modules early. A process then keeps the version it started with when files are replaced, and later requests do not wait for a
 * module.
 */
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

/**
 * Prints what to do first. The first start of the whole service on the embedded database has created a demo account. Any other start without
 * accounts prints the link to the setup page.
 */
async function greet(
  { services, embedded }: Installation,
  configuration: Configuration,
  { isDemo, demoAccount }: { isDemo: boolean; demoAccount: DemoAccount | null },
): Promise<void> {
  if (embedded && isDemo) return void process.stdout.write(welcome(publicUrl(configuration), demoAccount));
  const { createSetupToken, isSetupNeeded } = await import('@affiliate/core');
  const token = (await isSetupNeeded({ services })) ? await createSetupToken(services) : null;
  if (token !== null) process.stdout.write(invitation(publicUrl(configuration), token));
}
