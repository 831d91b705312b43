/** The senders of the manual, run as they are printed, and those of the SDKs. A sender whose interpreter is missing is not run, with a warning. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { retryPspEvents } from '@affiliate/core';
import { ApiError, facts } from '@affiliate/sdk';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { blocksOf, ROOT } from '../readme/manuals.ts';
import type { Fields } from '../support/http.ts';
import { useAccount, useService } from '../support/suite.ts';

const run = promisify(execFile);
const service = useService();
const account = useAccount(service);
let connection: { url: string; secret: string };

beforeAll(() => {
  // The senders use the clock of this machine.
  service.clock.set(new Date().toISOString());
});

beforeEach(async () => {
  const path = '/api/settings/v1/connections';
  const { body } = await account.api.send<Record<string, string>>('POST', path, { body: { source: 'facts' } });
  connection = { url: `${service.url}/sources/${body['id']}/events`, secret: body['signing_secret']! };
});

/** Applies the facts, and returns the sales. */
async function sales(): Promise<Fields[]> {
  await retryPspEvents(service.services);
  return (await account.api.get<{ data: Fields[] }>('/sales')).body.data;
}

/** How the senders are run, by the language of their block. */
const RUNNERS = {
  js: { file: 'sender.mjs', command: [process.execPath], version: '--version' },
  py: { file: 'sender.py', command: ['python3'], version: '--version' },
  php: { file: 'sender.php', command: ['php'], version: '--version' },
  ruby: { file: 'sender.rb', command: ['ruby'], version: '--version' },
  go: { file: 'sender.go', command: ['go', 'run'], version: 'version' },
};

describe('the sender of the manual', () => {
  const senders = blocksOf('docs/signed-facts.md').filter(({ language }) => language in RUNNERS);

  it('exists in five languages', () => {
    expect(senders.map(({ language }) => language)).toEqual(Object.keys(RUNNERS));
  });

  it.each(senders)('in $language is accepted', async ({ language, code }) => {
    const { file, command, version } = RUNNERS[language as keyof typeof RUNNERS];
    if (spawnSync(command[0]!, [version]).status !== 0) {
      process.stderr.write(`NOT RUN: the sender in ${language}, because ${command[0]} is not installed.\n`);
      return;
    }
    const folder = await mkdtemp(join(tmpdir(), 'sender-'));
    try {
      await writeFile(join(folder, file), code);
      const env = { ...process.env, FACTS_URL: connection.url, FACTS_SECRET: connection.secret };
      const { stdout } = await run(command[0]!, [...command.slice(1), join(folder, file)], { env, timeout: 60_000 });
      expect(stdout).toMatch(/202.*"outcome":"pending"/);
    } finally {
      await rm(folder, { recursive: true });
    }
    expect(await sales()).toMatchObject([{ charge_amount_cents: 12_000, tax_amount_cents: 2_000, currency: 'EUR' }]);
  });
});

const payment = () => ({
  type: 'payment.seen' as const,
  timestamp: new Date().toISOString(),
  data: {
    names: ['order:1'],
    version: 1,
    live: true,
    charged: { amount: 500, tax: null, currency: 'EUR', at: new Date().toISOString() },
    payer: { ids: ['7'] },
  },
});

describe('facts.send', () => {
  it('of the TypeScript SDK sends facts, checks them, and tells what is wrong', async () => {
    expect(await facts.send(connection, payment(), { dryRun: true })).toMatchObject({ dry_run: true });
    expect(await sales()).toEqual([]);
    expect(await facts.send(connection, [payment()])).toMatchObject({ facts: [{ outcome: 'pending' }], dry_run: false });
    expect(await sales()).toMatchObject([{ charge_amount_cents: 500 }]);
    const wrong = { ...payment(), data: { ...payment().data, version: -1 } };
    const error = await facts.send(connection, wrong).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ path: '/data/version' }] });
  });

  it('of the Python SDK does, too', async () => {
    const script = `
import json, sys
from affiliate_sdk import ApiError, facts
url, secret, fact = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
assert facts.send(url, secret, fact, dry_run=True)["dry_run"] is True
assert [each["outcome"] for each in facts.send(url, secret, [fact])["facts"]] == ["pending"]
fact["data"]["version"] = -1
try:
    facts.send(url, secret, fact)
except ApiError as error:
    print(error.code, error.details[0]["path"])
`;
    const env = { ...process.env, PYTHONPATH: join(ROOT, 'packages/sdk-python') };
    const { url, secret } = connection;
    const { stdout } = await run('python3', ['-c', script, url, secret, JSON.stringify(payment())], { env });
    expect(stdout).toBe('VALIDATION_ERROR /data/version\n');
    expect(await sales()).toMatchObject([{ charge_amount_cents: 500 }]);
  });
});
