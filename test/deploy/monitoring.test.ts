/** Compares the expressions of the alerts and of the dashboard with the metrics of a running service. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { type Running, startProgram } from '../app/program.ts';
import { builtProgram } from '../support/built-program.ts';
import { type TestDatabase, createTestDatabase } from '../support/postgres.ts';
import { SECRET_KEY } from '../support/service.ts';

const DEPLOY = resolve(import.meta.dirname, '../../deploy');

interface Rules {
  groups: { rules: { alert: string; expr: string }[] }[];
}
interface Dashboard {
  panels: { title: string; targets: { expr: string }[] }[];
}

const { groups } = parse(readFileSync(join(DEPLOY, 'prometheus/alerts.yml'), 'utf8')) as Rules;
const { panels } = JSON.parse(readFileSync(join(DEPLOY, 'grafana/dashboard.json'), 'utf8')) as Dashboard;
const EXPRESSIONS = [
  ...groups.flatMap(({ rules }) => rules.map(({ alert, expr }) => [alert, expr] as const)),
  ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
];

/** Functions and keywords of PromQL, and the variable of Grafana, that the expressions use. */
const WORDS = new Set('by count sum max rate increase time topk histogram_quantile __rate_interval'.split(' '));
/** The metric and the labels that Prometheus itself adds. */
const OF_PROMETHEUS = { metric: 'up', labels: ['job', 'instance'] };

/** Metrics that only an event creates with labels: a request, and an attempt to deliver a webhook. */
const LABELS_OF_EVENTS = { affiliate_webhook_attempts_total: ['event_type', 'outcome'] };

/** Returns each metric of a text in Prometheus's format, with its labels. */
function metricsOf(text: string): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const [, name, type] of text.matchAll(/^# TYPE (\w+) (\w+)$/gm))
    for (const end of type === 'histogram' ? ['_bucket', '_count', '_sum'] : ['']) found.set(name! + end, new Set());
  for (const [, name, labels] of text.matchAll(/^(\w+)\{([^}]*)\}/gm))
    for (const [, label] of labels!.matchAll(/(\w+)="/g)) found.get(name!)?.add(label!);
  return found;
}

/** Returns what an expression names that does not exist: metrics, and labels that none of its metrics has. */
function unknownIn(expression: string, metrics: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const names = new Set(expression.replaceAll(/"[^"]*"|\[[^\]]*\]/g, '').match(/[a-z_]\w*/gi));
  const used = [...names].filter((name) => metrics.has(name));
  const labels = new Set([...OF_PROMETHEUS.labels, ...used.flatMap((name) => [...metrics.get(name)!])]);
  const unknown = [...names].filter(
    (name) => !metrics.has(name) && !labels.has(name) && !WORDS.has(name) && name !== OF_PROMETHEUS.metric,
  );
  return used.length === 0 && !names.has(OF_PROMETHEUS.metric) ? [...unknown, `no metric in ${expression}`] : unknown;
}

describe('the alerts and the dashboard', () => {
  let database: TestDatabase;
  const running: Running[] = [];
  let metrics: Map<string, Set<string>>;

  beforeAll(async () => {
    await builtProgram();
    database = await createTestDatabase();
    const settings = { DATABASE_URL: database.url, SECRET_KEY, PORT: '0', WORKER_PORT: '0' };
    const worker = await startProgram(['worker'], settings);
    running.push(worker);
    const rest = await startProgram(['rest'], settings);
    running.push(rest);
    const textOf = async ({ url }: { url: string }) => (await fetch(`${url}/metrics`)).text();
    // A request, and the first heartbeat of the worker.
    const seen = /^affiliate_http_request_duration_seconds_count[^]*^affiliate_workers\{state="working"\} 1$/m;
    await vi.waitUntil(async () => seen.test(await textOf(rest)), { timeout: 20_000 });
    metrics = metricsOf([await textOf(rest), await textOf(worker)].join('\n'));
    for (const [name, labels] of Object.entries(LABELS_OF_EVENTS)) for (const label of labels) metrics.get(name)!.add(label);
  }, 60_000);
  afterAll(async () => {
    await Promise.all(running.map((each) => each.end()));
    await database.drop();
  });

  it.each(EXPRESSIONS)('%s uses existing metrics and labels: %s', (_name, expression) => {
    expect(unknownIn(expression, metrics)).toEqual([]);
  });

  it.each([
    ['a metric that does not exist', 'max(affiliate_worker{state="silent"}) > 0', ['affiliate_worker', 'state']],
    ['a label that does not exist', 'max by (kind) (affiliate_jobs)', ['kind']],
    ['nothing', 'time() > 0', []],
  ])('are refused if one names %s', (_what, expression, unknown) => {
    expect(unknownIn(expression, metrics)).toEqual(expect.arrayContaining(unknown));
    expect(unknownIn(expression, metrics)).not.toEqual([]);
  });

  it('use every metric of the service', () => {
    const text = EXPRESSIONS.map(([, expression]) => expression).join(' ');
    const own = [...metrics.keys()].filter((name) => name.startsWith('affiliate_') && !/_(count|sum)$/.test(name));
    expect(own.length).toBeGreaterThan(10);
    expect(own.filter((name) => !text.includes(name))).toEqual([]);
  });

  it('are about metrics with a prefix', () => {
    for (const name of metrics.keys()) expect(name).toMatch(/^(affiliate|process|nodejs)_/);
  });
});
