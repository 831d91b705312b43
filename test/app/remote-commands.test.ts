import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { type RequestListener, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { advanceImports } from '@affiliate/core';
import { type WebhookEvent, webhooks } from '@affiliate/sdk';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { startDatabaseProxy } from '../support/database-proxy.ts';
import { must } from '../support/program.ts';
import { useService, useAccount } from '../support/suite.ts';
import { CLI, environment, run } from './program.ts';

const service = useService();
const account = useAccount(service);
let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'affiliate-profiles-'));
  onTestFinished(() => rm(directory, { recursive: true }));
});

const settings = (others: Record<string, string> = {}) => ({ XDG_CONFIG_HOME: directory, ...others });
const withAccount = (others: Record<string, string> = {}) =>
  settings({ AFFILIATE_URL: service.url, AFFILIATE_API_KEY: account.apiKey, AFFILIATE_ACCOUNT_ID: account.id, ...others });
const campaign = { name: 'Friends', url: 'https://shop.example.com', reward_type: 'percent', commission_percent: 10 } as const;

describe('profiles', () => {
  const login = () =>
    run(
      ['login', '--url', service.url, '--account-id', account.id, '--profile', 'shop'],
      settings({ AFFILIATE_API_KEY: account.apiKey }),
    );

  it('are stored for their user only, and used by other commands', async () => {
    expect(await login()).toMatchObject({ code: 0, stderr: '' });
    const file = join(directory, 'affiliate/profiles.json');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const { stdout } = await run(['api', 'get', '/api/settings/v1/me', '--profile', 'shop', '--json'], settings());
    expect(JSON.parse(stdout)).toMatchObject({ kind: 'api_key' });
    expect((await run(['profiles'], settings())).stdout).toBe(`shop: ${account.id} at ${service.url}\n`);
    expect(await run(['logout', '--profile', 'shop'], settings())).toMatchObject({ code: 0 });
    expect(await readFile(file, 'utf8')).not.toContain(account.apiKey);
  });

  it('are not stored with a wrong key', async () => {
    const wrong = await run(
      ['login', '--url', service.url, '--account-id', account.id],
      settings({ AFFILIATE_API_KEY: 'apk_wrong' }),
    );
    expect(wrong).toMatchObject({ code: 3, stdout: '', stderr: expect.stringMatching(/^UNAUTHORIZED: .+\n$/) });
    expect(await run(['profiles'], settings())).toMatchObject({ code: 0, stdout: '' });
  });

  it('that are missing end a command in one line', async () => {
    expect(await run(['api', 'get', 'affiliates'], settings())).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^There is no profile default\. Run `affiliate login`.*\n$/),
    });
  });
});

describe('affiliate api', () => {
  it('sends fields in the query or the body', async () => {
    const fields = [
      '--name',
      'Friends',
      '--url',
      campaign.url,
      '--reward-type',
      'percent',
      '--commission-percent',
      '10',
      '--default',
      'true',
    ];
    const created = await run(['api', 'post', 'campaigns', ...fields], withAccount());
    expect(created).toMatchObject({ code: 0, stderr: '' });
    const { id } = JSON.parse(created.stdout) as { id: string };
    for (const email of ['a@example.com', 'b@example.com']) await account.client.affiliates.create.mutate({ email });
    const listed = await run(
      ['api', 'get', 'affiliates', '--limit', '1', `--campaign-id=${id}`, '--state', 'active', '--json'],
      withAccount(),
    );
    expect(listed.stdout.split('\n')).toHaveLength(2);
    expect(JSON.parse(listed.stdout)).toMatchObject({ data: [{ email: 'b@example.com' }], pagination: { total_count: 2 } });
    const data = JSON.stringify({ name: 'Companions' });
    expect(JSON.parse((await run(['api', 'patch', `campaigns/${id}`, '--data', data], withAccount())).stdout)).toMatchObject({
      name: 'Companions',
    });
    expect(await run(['api', 'delete', `campaigns/${id}`], withAccount())).toMatchObject({ code: 0, stdout: '' });
  });

  it.each([
    ['a refusal', ['api', 'get', 'campaigns/camp_unknown'], {}, 3, /^NOT_FOUND: .+\n$/],
    [
      'a service that cannot be reached',
      ['api', 'get', 'campaigns'],
      { AFFILIATE_URL: 'http://127.0.0.1:9' },
      4,
      /^http:\/\/127\.0\.0\.1:9 cannot be reached: .+\n$/,
    ],
    ['a body that is not JSON', ['api', 'post', 'campaigns', '--data', '{'], {}, 1, /^The body is not JSON\.\n$/],
  ])('tells %s by its exit code and one line', async (_what, args, others, code, stderr) => {
    expect(await run(args, withAccount(others))).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(stderr) });
  });
});

/** Starts a receiver on this machine. */
async function startReceiver(listener: RequestListener): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer(listener);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const close = async () => {
    server.closeAllConnections();
    if (server.listening) await promisify(server.close.bind(server))();
  };
  onTestFinished(close);
  return { url: `127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

function startListening(args: string[], env: Record<string, string>) {
  const child = spawn(process.execPath, [CLI, 'listen', ...args], { env: environment(env), stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  const waitFor = async (part: string) => {
    while (!output.includes(part)) await once(child.stdout, 'data');
  };
  const ended = Promise.all([once(child, 'exit') as Promise<[number | null]>, text(child.stderr)]).then(([[code], stderr]) => ({
    code,
    stderr,
  }));
  // Waits for the end, because the process writes its position into the directory that is removed next.
  onTestFinished(async () => {
    child.kill();
    await ended;
  });
  return { child, waitFor, ended };
}

describe('affiliate listen', () => {
  const secret = 'whsec_session';

  async function createAffiliates(count: number): Promise<void> {
    for (let index = 0; index < count; index += 1)
      await account.client.affiliates.create.mutate({ email: `listen-${index}@example.com` });
  }

  it('forwards 300 signed events in order through two broken connections and a restart', { timeout: 120_000 }, async () => {
    await account.client.campaigns.create.mutate({ ...campaign, default: true });
    const proxy = await startDatabaseProxy(service.url);
    onTestFinished(() => proxy[Symbol.asyncDispose]());
    const sequences: number[] = [];
    const arrived = new Map<number, PromiseWithResolvers<void>>();
    const arrival = (count: number) => {
      const waiting = arrived.get(count) ?? Promise.withResolvers<void>();
      arrived.set(count, waiting);
      if (sequences.length >= count) waiting.resolve();
      return waiting.promise;
    };
    const receiver = await startReceiver((request, response) => {
      void (async () => {
        const event = await webhooks.verify(await text(request), request.headers, secret);
        sequences.push(event.sequence);
        response.writeHead(204).end();
        arrived.get(sequences.length)?.resolve();
      })();
    });
    const args = ['--forward-to', receiver.url, '--secret', secret];
    const env = withAccount({ AFFILIATE_URL: proxy.url.replace(/\/$/, '') });

    const first = startListening(args, env);
    await first.waitFor('Forwarding events after 1');
    await createAffiliates(150);
    await arrival(50);
    for (const count of [100, 180]) {
      proxy.cut();
      await first.waitFor('Trying again');
      proxy.recover();
      await arrival(count);
    }
    first.child.kill('SIGTERM');
    expect(await first.ended).toEqual({ code: 0, stderr: '' });

    startListening(args, env);
    await arrival(300);
    expect(sequences).toEqual(Array.from({ length: 300 }, (_, index) => index + 2));
  });

  it('forwards only events of the wanted types', async () => {
    await account.client.campaigns.create.mutate({ ...campaign, default: true });
    const types: string[] = [];
    const receiver = await startReceiver((request, response) => {
      void (async () => {
        types.push((await webhooks.verify(await text(request), request.headers, secret)).type);
        response.writeHead(500).end();
      })();
    });
    const listening = startListening(
      ['--forward-to', receiver.url, '--secret', secret, '--events', 'affiliate.approved,commission.*'],
      withAccount(),
    );
    await listening.waitFor('Forwarding events');
    await createAffiliates(2);
    // The receiver's failure is shown, and the next event follows.
    await listening.waitFor('→ 500\n5 affiliate.approved');
    expect(types).toEqual(['affiliate.approved', 'affiliate.approved']);
  });

  it('ends in one line when the key is wrong or revoked', async () => {
    const wrong = await run(['listen', '--forward-to', '4000'], withAccount({ AFFILIATE_API_KEY: 'apk_wrong' }));
    expect(wrong).toMatchObject({ code: 3, stdout: '', stderr: expect.stringMatching(/^UNAUTHORIZED: .+\n$/) });

    const key = await account.client.apiKeys.create.mutate({ name: 'Listener' });
    const listening = startListening(['--forward-to', '4000'], withAccount({ AFFILIATE_API_KEY: key.api_key }));
    await listening.waitFor('Forwarding events');
    await account.client.apiKeys.revoke.mutate({ id: key.id });
    expect(await listening.ended).toEqual({ code: 3, stderr: expect.stringMatching(/^UNAUTHORIZED: .+\n$/) });
  });

  it('waits for a receiver that is started again, and leaves no event out', async () => {
    await account.client.campaigns.create.mutate({ ...campaign, default: true });
    const sequences: number[] = [];
    const serve: RequestListener = (request, response) => {
      void (async () => {
        sequences.push((await webhooks.verify(await text(request), request.headers, secret)).sequence);
        response.writeHead(204).end();
      })();
    };
    const first = await startReceiver(serve);
    const listening = startListening(['--forward-to', first.url, '--secret', secret], withAccount());
    await listening.waitFor('Forwarding events');
    await createAffiliates(1);
    await listening.waitFor('→ 204');
    await first.close();
    await account.client.affiliates.create.mutate({ email: 'meanwhile@example.com' });
    await listening.waitFor('does not accept connections. Trying again…');
    const again = createServer(serve);
    await once(again.listen(Number(first.url.split(':')[1]), '127.0.0.1'), 'listening');
    onTestFinished(async () => promisify(again.close.bind(again))());
    await expect.poll(() => sequences.length, { timeout: 10_000 }).toBe(4);
    expect(sequences).toEqual([2, 3, 4, 5]);
  });

  it('ends in one line when nothing receives the events', async () => {
    await account.client.campaigns.create.mutate({ ...campaign, default: true });
    const listening = startListening(['--forward-to', '127.0.0.1:9'], withAccount());
    await listening.waitFor('Forwarding events');
    await createAffiliates(1);
    expect(await listening.ended).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^http:\/\/127\.0\.0\.1:9\/ does not accept event 2: .+ it continues with this event\.\n$/),
    });
  });
});

it('affiliate events resend sends one event again', async () => {
  await account.client.campaigns.create.mutate({ ...campaign, default: true });
  await account.client.affiliates.create.mutate({ email: 'ada@example.com' });
  const { data } = await account.client.events.list.query({ limit: 1 });
  const received: WebhookEvent[] = [];
  const receiver = await startReceiver((request, response) => {
    void (async () => {
      received.push(await webhooks.verify(await text(request), request.headers, 'whsec_session'));
      response.writeHead(204).end();
    })();
  });
  const resent = await run(
    ['events', 'resend', data[0]!.id, '--forward-to', receiver.url, '--secret', 'whsec_session'],
    withAccount(),
  );
  expect(resent).toEqual({ code: 0, stdout: `3 affiliate.approved ${data[0]!.id} → 204\n`, stderr: '' });
  expect(received).toMatchObject([{ id: data[0]!.id, type: 'affiliate.approved', data: { email: 'ada@example.com' } }]);
});

it('affiliate completion completes commands in bash', async () => {
  const { stdout } = await run(['completion', 'bash'], settings());
  const complete = `${stdout}\nCOMP_WORDS=(affiliate events re); COMP_CWORD=2; _affiliate; echo "\${COMPREPLY[@]}"`;
  const shell = spawn('bash', ['-c', complete], { stdio: ['ignore', 'pipe', 'inherit'] });
  expect(await text(shell.stdout)).toBe('resend\n');
});

describe('affiliate trigger', () => {
  const withTestKey = async () => {
    const { api_key } = await account.client.apiKeys.create.mutate({ name: 'Test', livemode: false });
    return withAccount({ AFFILIATE_API_KEY: api_key });
  };

  it('makes the test records that cause an event', async () => {
    const triggered = await run(['trigger', 'commission.due', '--json'], await withTestKey());
    expect(triggered).toMatchObject({ code: 0, stderr: '' });
    const events = JSON.parse(triggered.stdout) as { type: string; data: { livemode: boolean } }[];
    expect(events.map(({ type }) => type)).toContain('commission.due');
    expect(events.every(({ data }) => !data.livemode)).toBe(true);
  });

  it('makes them with a key without a mode, with a profile of test mode', async () => {
    const key = settings({ AFFILIATE_API_KEY: account.apiKey });
    const login = ['login', '--url', service.url, '--account-id', account.id, '--test', '--profile', 'test'];
    expect(await run(login, key)).toMatchObject({ code: 0, stderr: '' });
    expect((await run(['profiles'], settings())).stdout).toBe(`test: ${account.id} at ${service.url}, in test mode\n`);
    const triggered = await run(['trigger', 'affiliate.created', '--json', '--profile', 'test'], settings());
    expect(triggered).toMatchObject({ code: 0, stderr: '' });
    const events = JSON.parse(triggered.stdout) as { type: string; data: { id: string; livemode: boolean } }[];
    const { data } = events.find(({ type }) => type === 'affiliate.created')!;
    expect(data.livemode).toBe(false);
    const read = await run(['api', 'get', `affiliates/${data.id}`, '--json', '--profile', 'test'], settings());
    expect(JSON.parse(read.stdout)).toMatchObject({ id: data.id, livemode: false });
  });

  it('refuses keys that are not of test mode, and unknown events, in one line', async () => {
    expect(await run(['trigger', 'commission.due'], withAccount())).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^Events are triggered only in test mode\..*\n$/),
    });
    expect(await run(['trigger', 'commission.lost'], await withTestKey())).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^commission\.lost cannot be triggered\..*\n$/),
    });
  });
});

describe('affiliate import', () => {
  it('shows what would be made of files, makes it when asked, and undoes it', async () => {
    await must(account, '/campaigns', { ...campaign, default: true });
    const file = join(directory, 'partners.csv');
    await writeFile(file, 'email,token\nada@example.com,ada\nnobody,nobody\n');
    const running = setInterval(() => void advanceImports(service.services), 100);
    onTestFinished(() => clearInterval(running));
    const dry = await run(['import', 'csv', `affiliates=${file}`], withAccount());
    expect(dry).toMatchObject({ code: 0, stderr: '' });
    const lines = dry.stdout.split('\n');
    const [id] = lines[0]!.split(' ');
    expect(lines[0]).toMatch(/^imp_\w+ ready$/);
    expect(lines).toContain('affiliate new: 1, 0 done');
    expect(dry.stdout).toMatch(/^problem: affiliate .*email: invalid_format$/m);
    expect(lines).toContain(`Nothing was made. Make the records: affiliate import ${id} --run`);
    const affiliates = async () => (await account.api.get<{ data: unknown[] }>('/affiliates')).body.data;
    expect(await affiliates()).toEqual([]);

    const made = await run(['import', id!, '--run', '--json'], withAccount());
    expect(JSON.parse(made.stdout)).toMatchObject({ id, state: 'done' });
    expect(await affiliates()).toHaveLength(1);
    expect((await run(['import', id!, '--undo'], withAccount())).stdout).toMatch(/^imp_\w+ undone$/m);
    expect(await affiliates()).toEqual([]);
  });

  it.each([
    [['import', 'csv', 'partners.csv'], /^partners\.csv does not say which records/],
    [['import', 'csv', 'affiliates=/nowhere.csv'], /^\/nowhere\.csv could not be read: ENOENT\n$/],
    [['import', 'rewardful', '--undo'], /^--stop and --undo need the ID of an import\.\n$/],
  ])('ends in one line: %s', async (args, message) => {
    expect(await run(args, withAccount())).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(message) });
  });
});
