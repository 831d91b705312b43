import { createHash, timingSafeEqual } from 'node:crypto';
import { DomainError, type Services, acceptsWrites, keptVisits, untranslated } from '@affiliate/core';
import type { RequestHandler } from 'express';
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { Build } from './health.ts';

/** Counters and histograms of one process, for Prometheus. */
export interface Metrics {
  /** Returns all metrics in Prometheus's text format. */
  render(): Promise<{ contentType: string; text: string }>;
  /** Records an answered request. `route` is a template, never a path with ids. */
  requestAnswered(request: { method: string; route: string; status: number; seconds: number }): void;
  /** Records an attempt to deliver a webhook. `errorCode` is null for a success. */
  attempted(attempt: { eventType: string; errorCode: string | null; durationMs: number }): void;
  /** Counts an attempt to send an email. */
  mailAttempted: (outcome: MailOutcome) => void;
  /** Registers gauges for the workers and their queues, which are read for each request of the metrics. */
  watchWork(read: () => Promise<WorkFigures>): void;
  /** Registers gauges that tell whether the database accepts writes, and how many of its connections this process uses. */
  watchDatabase(services: Services): void;
  /** Registers metrics for the visits that the process keeps in memory and for those that it has lost. */
  watchVisits(services: Services): void;
}

/** `sent`; `retried`, because the server or the recipient's host takes none at the moment; `refused`, because the address does not exist. */
type MailOutcome = 'sent' | 'retried' | 'refused';

/** The number of jobs of a queue, by state, and the seconds that the oldest job has waited. */
interface QueueFigures {
  queue: string;
  waiting: number;
  active: number;
  failed: number;
  oldest_seconds: number;
}

interface WorkFigures {
  queues: readonly QueueFigures[];
  /** Workers that are connected to the database, with and without a recent heartbeat. */
  workers: { working: number; silent: number };
  /** End of the last backup of `affiliate backup`. Null if there is none. */
  backupAt: Date | null;
}

/** Time limit for reading the figures of the work, so that the other metrics are answered while the database does not answer. */
const READ_WITHIN_MS = 3_000;

let ofProcess: Registry | undefined;

/**
 * Returns the metrics of the process, which are collected once: collecting runs a timer every 10 ms and observes the garbage collector until the
 * process ends.
 */
function processMetrics(): Registry {
  if (ofProcess === undefined) {
    ofProcess = new Registry();
    collectDefaultMetrics({ register: ofProcess });
    // Gauges whose names end like those of counters. `nodejs_active_handles` etc. tell the same by kind.
    for (const name of ['handles', 'requests', 'resources']) ofProcess.removeSingleMetric(`nodejs_active_${name}_total`);
  }
  return ofProcess;
}

export function createMetrics({ version, commit }: Build = {}): Metrics {
  const shared = processMetrics();
  const registry = new Registry();
  const build = new Gauge({
    name: 'affiliate_build_info',
    help: 'Always 1. The labels name the build of the process.',
    labelNames: ['version', 'commit'],
    registers: [registry],
  });
  build.set({ version: version ?? '', commit: commit ?? '' }, 1);
  const requests = new Histogram({
    name: 'affiliate_http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of the response.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  const attempts = new Counter({
    name: 'affiliate_webhook_attempts_total',
    help: 'Attempts to deliver a webhook, by outcome: succeeded, or the error code.',
    labelNames: ['event_type', 'outcome'],
    registers: [registry],
  });
  const attemptDuration = new Histogram({
    name: 'affiliate_webhook_attempt_duration_seconds',
    help: 'Time of an attempt to deliver a webhook.',
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
    registers: [registry],
  });
  const mails = new Counter({
    name: 'affiliate_mail_attempts_total',
    help: 'Attempts of this process to send an email, by outcome.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  for (const outcome of ['sent', 'retried', 'refused'] satisfies MailOutcome[]) mails.inc({ outcome }, 0);
  return {
    mailAttempted: (outcome) => mails.inc({ outcome }),
    render: async () => ({
      contentType: registry.contentType,
      text: `${await shared.metrics()}\n${await registry.metrics()}`,
    }),
    requestAnswered: ({ seconds, ...labels }) => requests.observe(labels, seconds),
    attempted: ({ eventType, errorCode, durationMs }) => {
      attempts.inc({ event_type: eventType, outcome: errorCode ?? 'succeeded' });
      attemptDuration.observe(durationMs / 1000);
    },
    watchWork: (read) => {
      const figures = sharedRead(read);
      const watch = (
        name: string,
        help: string,
        labelNames: string[],
        set: (gauge: Gauge, figures: WorkFigures | null) => void,
      ) =>
        registry.registerMetric(
          new Gauge({
            name,
            help,
            labelNames,
            registers: [],
            async collect() {
              const found = await figures();
              this.reset();
              set(this, found);
            },
          }),
        );
      // Without the database, these gauges have no values.
      watch('affiliate_jobs', 'Jobs of the workers, by queue and state.', ['queue', 'state'], (gauge, found) => {
        for (const { queue, oldest_seconds: _, ...states } of found?.queues ?? [])
          for (const [state, number] of Object.entries(states)) gauge.set({ queue, state }, number);
      });
      watch(
        'affiliate_jobs_oldest_waiting_seconds',
        'Time for which the oldest job of a queue has waited.',
        ['queue'],
        (gauge, found) => {
          for (const { queue, oldest_seconds } of found?.queues ?? []) gauge.set({ queue }, oldest_seconds);
        },
      );
      const workersHelp = 'Workers that are connected to the database: working, or silent, i.e. without a heartbeat for 10 s.';
      watch('affiliate_workers', workersHelp, ['state'], (gauge, found) => {
        for (const [state, number] of Object.entries(found?.workers ?? {})) gauge.set({ state }, number);
      });
      const backupHelp = 'End of the last backup of `affiliate backup`, as Unix time. 0 if there is none.';
      watch('affiliate_backup_last_success_timestamp_seconds', backupHelp, [], (gauge, found) => {
        if (found === null) gauge.remove();
        else gauge.set((found.backupAt?.getTime() ?? 0) / 1_000);
      });
    },
    watchDatabase: ({ database }) => {
      const connections: Record<string, [keyof typeof database.admission.figures, string]> = {
        affiliate_database_connections_in_use: ['inUse', 'Connections of the pool that work of this process holds.'],
        affiliate_database_connections_max: ['most', 'Connections that this process may use (DATABASE_POOL_SIZE).'],
        affiliate_database_connections_awaited: ['waiting', 'Requests and background work that wait for a connection.'],
      };
      for (const [name, [figure, help]] of Object.entries(connections))
        registry.registerMetric(
          new Gauge({
            name,
            help,
            registers: [],
            collect() {
              this.set(database.admission.figures[figure]);
            },
          }),
        );
      registry.registerMetric(
        new Gauge({
          name: 'affiliate_database_writable',
          help: '1 if the database answers and accepts writes, otherwise 0.',
          registers: [],
          async collect() {
            this.set(Number(await acceptsWrites(database, READ_WITHIN_MS).catch(() => false)));
          },
        }),
      );
    },
    watchVisits: (services) => {
      registry.registerMetric(
        new Gauge({
          name: 'affiliate_visits_kept',
          help: 'Visits kept in memory because the database does not answer. They are lost if the process is killed.',
          registers: [],
          collect() {
            this.set(keptVisits(services).kept);
          },
        }),
      );
      registry.registerMetric(
        new Counter({
          name: 'affiliate_visits_lost_total',
          help: 'Visits that were lost because they could be neither written nor kept in memory.',
          registers: [],
          collect() {
            this.reset();
            this.inc(keptVisits(services).lost);
          },
        }),
      );
    },
  };
}

/**
 * Returns a function that reads the figures, and resolves to null if that fails or takes longer than `READ_WITHIN_MS`. Calls during a read share it, so
 * that requests for the metrics do not pile up while the database does not answer.
 */
function sharedRead(read: () => Promise<WorkFigures>): () => Promise<WorkFigures | null> {
  let running: Promise<WorkFigures | null> | null = null;
  return () => {
    running ??= read()
      .catch(() => null)
      .finally(() => {
        running = null;
      });
    const tooLate = Promise.withResolvers<null>();
    const timer = setTimeout(() => tooLate.resolve(null), READ_WITHIN_MS);
    return Promise.race([running, tooLate.promise]).finally(() => clearTimeout(timer));
  };
}

/**
 * Answers `GET /metrics`.
 *
 * @param token bearer token that a request must have; undefined if anyone may read the metrics
 */
export function showMetrics(metrics: Metrics, token: string | undefined): RequestHandler {
  return async (request, response) => {
    if (token !== undefined && !isBearer(request.headers.authorization, token)) {
      response.setHeader('WWW-Authenticate', 'Bearer realm="metrics"');
      throw new DomainError('UNAUTHORIZED', untranslated('Send METRICS_TOKEN as a bearer token.'));
    }
    const { contentType, text } = await metrics.render();
    response.type(contentType).send(text);
  };
}

/** Compares hashes of equal length, so that the time of the comparison says nothing about the token. */
function isBearer(header = '', token: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(header.replace(/^Bearer +/i, '')), hash(token));
}
