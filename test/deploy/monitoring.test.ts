/**
 * Evaluates the expressions of the alerts and of the dashboard in a Prometheus that reads the metrics of a running service, and runs the tests of the
 * alerts, if Debian's package prometheus is installed. Otherwise only compares their names with the metrics of the service.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { parse, stringify } from 'yaml';
import { type Running, environment, run, startProgram } from '../app/program.ts';
import { builtProgram } from '../support/built-program.ts';
import { freePort } from '../support/free-port.ts';
import { HookReceiver, answer } from '../support/hook-receiver.ts';
import { type Fields, send } from '../support/http.ts';
import { type TestDatabase, createTestDatabase } from '../support/postgres.ts';
import { setReadOnly } from '../support/read-only.ts';
import { SECRET_KEY, credentials } from '../support/service.ts';
import { DEPLOY, has } from './programs.ts';

interface Rules {
  groups: { rules: { alert: string; expr: string; annotations: { summary: string } }[] }[];
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

const hasPrometheus = has('prometheus') && has('promtool');

describe('the alerts and the dashboard', () => {
  let database: TestDatabase;
  const running: Running[] = [];
  let metrics: Map<string, Set<string>>;
  let text: string;

  beforeAll(async () => {
    await builtProgram();
    database = await createTestDatabase();
    const settings = { DATABASE_URL: database.url, SECRET_KEY, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' };
    const worker = await startProgram(['worker'], { ...settings, WORKER_PORT: '0' });
    const rest = await startProgram(['rest'], { ...settings, PORT: '0' });
    running.push(rest, worker);
    await useEverything(database, settings, rest.url);
    const textOf = async ({ url }: { url: string }) => (await fetch(`${url}/metrics`)).text();
    // The first heartbeat of the worker, and its attempt to deliver a webhook.
    await vi.waitUntil(async () => /^affiliate_workers\{state="working"\} 1$/m.test(await textOf(rest)), { timeout: 20_000 });
    await vi.waitUntil(async () => /^affiliate_webhook_attempts_total\{/m.test(await textOf(worker)), { timeout: 20_000 });
    text = [await textOf(rest), await textOf(worker)].join('\n');
    metrics = metricsOf(text);
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
    const expressions = EXPRESSIONS.map(([, expression]) => expression).join(' ');
    const own = [...metrics.keys()].filter((name) => name.startsWith('affiliate_') && !/_(count|sum)$/.test(name));
    expect(own.length).toBeGreaterThan(10);
    expect(own.filter((name) => !expressions.includes(name))).toEqual([]);
  });

  it('are about metrics with a prefix', () => {
    for (const name of metrics.keys()) expect(name).toMatch(/^(affiliate|process|nodejs)_/);
  });

  it.skipIf(!hasPrometheus)('have a value in a Prometheus that reads the metrics', { timeout: 60_000 }, async () => {
    await using prometheus = await startPrometheus(running);
    const without: string[] = [];
    for (const [name, expression] of EXPRESSIONS) {
      const values = await prometheus.query(measured(expression));
      if (values.length === 0) without.push(`${name}: ${expression}`);
    }
    expect(without).toEqual([]);
    // Prometheus has evaluated each alert, and the installation has one fault: it has no backup, which is not alerted for an hour.
    const states = await prometheus.alerts();
    expect(states.map(({ name }) => name)).toEqual(groups.flatMap(({ rules }) => rules.map(({ alert }) => alert)));
    expect(states.filter(({ health }) => health !== 'ok')).toEqual([]);
    expect(states.filter(({ state }) => state === 'firing')).toEqual([]);
    expect(states.find(({ name }) => name === 'AffiliateNoBackup')).toMatchObject({ state: 'pending' });
  });

  it.skipIf(!hasPrometheus)('are accepted by promtool, and their tests succeed', () => {
    const options = { cwd: join(DEPLOY, 'prometheus'), encoding: 'utf8' } as const;
    expect(execFileSync('promtool', ['check', 'config', '--syntax-only', 'prometheus.yml'], options)).toContain('SUCCESS');
    expect(execFileSync('promtool', ['check', 'rules', 'alerts.yml'], options)).toContain('SUCCESS');
    expect(execFileSync('promtool', ['test', 'rules', 'alerts.test.yml'], options)).toContain('SUCCESS');
  });

  it.skipIf(!hasPrometheus)('read metrics of which promtool has no complaint', () => {
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
      input: metricsOnce(text),
      encoding: 'utf8',
    });
    // Names that Node's exporter has chosen are not ours.
    const complaints = (stdout + stderr).split('\n').filter((line) => line !== '' && !/^(nodejs|process)_/.test(line));
    expect({ complaints, status: complaints.length > 0 ? status : 0 }).toEqual({ complaints: [], status: 0 });
  });

  it('fire, each of them, in the tests of the alerts', () => {
    const { tests } = parse(readFileSync(join(DEPLOY, 'prometheus/alerts.test.yml'), 'utf8')) as {
      tests: { alert_rule_test: { alertname: string; exp_alerts: { exp_annotations: { summary: string } }[] }[] }[];
    };
    const cases = tests.flatMap(({ alert_rule_test }) => alert_rule_test);
    for (const { alert, annotations } of groups.flatMap(({ rules }) => rules)) {
      const own = cases.filter(({ alertname }) => alertname === alert);
      expect([alert, own.flatMap(({ exp_alerts }) => exp_alerts.map(({ exp_annotations }) => exp_annotations))]).toEqual([
        alert,
        [annotations],
      ]);
      expect([alert, own.some(({ exp_alerts }) => exp_alerts.length === 0)]).toEqual([alert, true]);
    }
  });
});

/** Makes requests that succeed and one that fails with 503, an event, and an attempt to deliver it, so that every metric has a value. */
async function useEverything(database: TestDatabase, settings: Record<string, string>, url: string): Promise<void> {
  const command = ['account', 'create', '--json', '--name', 'Shop', '--owner-email', 'a@example.com'];
  const { stdout } = await run(command, settings, 'correct horse\n');
  const { account_id, api_key } = JSON.parse(stdout) as { account_id: string; api_key: string };
  const headers = credentials(account_id, api_key);
  const post = <Body = object>(path: string, body: Fields) => send<Body>(`${url}/api/${path}`, 'POST', { headers, body });
  const campaign = { name: 'Spring', url: 'https://shop.example.com', reward_type: 'fixed', commission_amount_cents: 1 };
  await setReadOnly(database.url, 'on');
  await vi.waitUntil(async () => (await post('v1/campaigns', campaign)).status === 503, { timeout: 20_000 });
  await setReadOnly(database.url, 'off');
  const created = { campaign_id: '' };
  await vi.waitUntil(
    async () => {
      const { status, body } = await post<{ id: string }>('v1/campaigns', campaign);
      created.campaign_id = body.id;
      return status === 201;
    },
    { timeout: 20_000 },
  );
  await using receiver = await HookReceiver.start(answer(500));
  const endpoint = { name: 'Orders', url: receiver.url, event_types: ['affiliate.created'] };
  expect((await post('settings/v1/webhook_endpoints', endpoint)).status).toBe(201);
  expect((await post('v1/affiliates', { email: 'ada@example.com', first_name: 'Ada', ...created })).status).toBe(201);
  await receiver.first(1);
}

/** Returns an expression as the dashboard sends it, and of an alert what it compares with a limit. */
function measured(expression: string): string {
  return expression.replaceAll('$__rate_interval', '1m').replace(/ (==|>) [\d.* ]+$/, '');
}

/** Returns the metrics of two processes without those of the second that the first has, too. */
function metricsOnce(both: string): string {
  const seen = new Set<string>();
  return both
    .split(/^(?=# HELP )/m)
    .filter((metric) => {
      const [name = ''] = metric.split(' ', 3).slice(2);
      return !seen.has(name) && seen.add(name);
    })
    .join('');
}

interface Prometheus extends AsyncDisposable {
  query(expression: string): Promise<unknown[]>;
  alerts(): Promise<{ name: string; health: string; state: string }[]>;
}

/** Starts a Prometheus with the files of `deploy`, which reads the metrics of the processes every second. Settles when it has read them several times. */
async function startPrometheus(processes: readonly Running[]): Promise<Prometheus> {
  const directory = mkdtempDisposableSync(join(tmpdir(), 'affiliate-prometheus-'));
  const { scrape_configs: jobs } = parse(readFileSync(join(DEPLOY, 'prometheus/prometheus.yml'), 'utf8')) as {
    scrape_configs: { job_name: string }[];
  };
  const file = join(directory.path, 'prometheus.yml');
  const targets = processes.map(({ url }) => new URL(url).host);
  writeFileSync(
    file,
    stringify({
      global: { scrape_interval: '1s', evaluation_interval: '1s' },
      rule_files: [join(DEPLOY, 'prometheus/alerts.yml')],
      scrape_configs: jobs
        .filter(({ job_name }) => job_name === 'affiliate')
        .map((job) => ({ ...job, scrape_interval: '1s', static_configs: [{ targets }] })),
    }),
  );
  const port = await freePort();
  const flags = [`--config.file=${file}`, `--storage.tsdb.path=${directory.path}/data`, `--web.listen-address=127.0.0.1:${port}`];
  const child: ChildProcess = spawn('prometheus', [...flags, '--log.level=error'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: environment({}),
  });
  const ask = async (path: string) => {
    const reply = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`);
    const { status, data, error } = (await reply.json()) as { status: string; data: Record<string, unknown[]>; error?: string };
    if (status !== 'success') throw new Error(error);
    return data;
  };
  const query = async (expression: string) => (await ask(`query?query=${encodeURIComponent(expression)}`))['result']!;
  const alerts = async () => ((await ask('rules'))['groups'] as { rules: Awaited<ReturnType<Prometheus['alerts']>> }[])[0]!.rules;
  const isReading = async () =>
    (await query('count_over_time(up[1m]) >= 4')).length === processes.length &&
    (await alerts()).every(({ health }) => health !== 'unknown');
  await vi.waitUntil(() => isReading().catch(() => false), { timeout: 30_000, interval: 500 });
  return {
    query,
    alerts,
    async [Symbol.asyncDispose]() {
      const exited = once(child, 'exit');
      child.kill();
      await exited;
      directory.remove();
    },
  };
}
