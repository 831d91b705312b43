/** One key requests everything at its maximum from `rest`, with the options of the deployment examples. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { issueApiKey } from '@affiliate/core';
import { Client } from 'pg';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Running, environment, untilListening } from '../app/program.ts';
import { builtProgram } from '../support/built-program.ts';
import { UNKNOWN_FILE } from '../support/loads/loads.ts';
import { fillMetadata, seedBusyAccount } from '../support/loads/target.ts';
import { SECRET_KEY, type TestService, startService } from '../support/service.ts';
import { sample } from '../support/thorough.ts';

const UNIT = readFileSync(resolve(import.meta.dirname, '../../deploy/systemd/affiliate-rest@.service'), 'utf8');
const OPTIONS = /^ExecStart=\S+ (--.*) \S+affiliate\.js rest$/m.exec(UNIT)![1]!.split(' ');
const LIMIT_MIB = Number(/^MemoryMax=(\d+)M$/m.exec(UNIT)![1]);
const MIB = 1024 * 1024;
/** Affiliates, each with a payout, and with two commissions. Every record has 27 KB of metadata, 33 MB per kind and thousand records. */
const RECORDS = 1_250;
const TABLES = ['campaign', 'affiliate', 'referral', 'payout', 'sale', 'commission'];
/** Bytes of an answer after which a client breaks off, so that the test does not take minutes. */
const READ = 4 * MIB;

let service: TestService;
let headers: Record<string, string>;
let rest: Running;

beforeAll(async () => {
  const file = join(await builtProgram(), 'affiliate.js');
  service = await startService({ workersElsewhere: true, writesRows: true });
  const client = new Client(service.databaseUrl);
  await client.connect();
  const accountId = await seedBusyAccount(client, RECORDS, SECRET_KEY);
  for (const table of TABLES) await fillMetadata(client, table, RECORDS);
  await client.end();
  const { api_key } = await issueApiKey(service.services, { accountId, name: 'All', permissions: { all: true } });
  headers = { 'x-api-key': api_key, 'x-account-id': accountId };
  const settings = {
    DATABASE_URL: service.databaseUrl,
    SECRET_KEY,
    PORT: '0',
    RATE_LIMIT_PER_MINUTE: '100000',
    RATE_LIMIT_PUBLIC_PER_MINUTE: '100000',
  };
  rest = await untilListening(
    spawn(process.execPath, [...OPTIONS, file, 'rest'], { env: environment(settings), stdio: ['ignore', 'pipe', 'inherit'] }),
  );
}, 300_000);
afterAll(async () => {
  await rest.end();
  await service.stop();
});

function memoryMib(): number {
  const [, kib] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${rest.child.pid}/status`, 'utf8'))!;
  return Number(kib) / 1024;
}

/** Requests a path over many connections, or sends it a body. Returns the statuses, and the most memory that the process had meanwhile. */
async function requestAtOnce(
  path: string,
  connections: number,
  sent?: string,
): Promise<{ statuses: Set<number>; mostMib: number }> {
  const agent = new Agent({ connections, headersTimeout: 90_000 });
  let mostMib = memoryMib();
  const watch = setInterval(() => (mostMib = Math.max(mostMib, memoryMib())), 10);
  try {
    const statuses = await Promise.all(
      Array.from({ length: connections }, async () => {
        const { statusCode, body } = await request(`${rest.url}${path}`, {
          headers: { ...headers, ...(sent && { 'content-type': 'application/json' }) },
          dispatcher: agent,
          ...(sent && { method: 'POST', body: sent }),
        });
        let read = 0;
        for await (const chunk of body) {
          read += (chunk as Buffer).length;
          if (read > READ) break;
        }
        return statusCode;
      }),
    );
    return { statuses: new Set(statuses), mostMib };
  } finally {
    clearInterval(watch);
    await agent.destroy();
  }
}

describe('a key that requests everything at its maximum', () => {
  it.each(
    sample<[path: string, connections: number, expected: number[], sent?: string]>(
      [
        ['/api/v1/affiliates.csv', 8, [200]],
        ['/api/v1/commissions.csv', 8, [200]],
        ['/api/v1/sales.csv', 4, [200]],
        ['/api/v1/affiliates?limit=100', 32, [200, 429, 503]],
        ['/api/v1/commissions?limit=100&expand=sale,affiliate,campaign', 32, [200, 429, 503]],
        ['/api/v1/payouts?limit=100&expand=commissions', 32, [200, 429, 503]],
        ['/api/v1/payouts?eligible=true', 8, [422, 429, 503]],
        ['/api/v1/assets', 32, [422, 429, 503], UNKNOWN_FILE],
      ],
      2,
      0,
    ),
  )(
    'leaves the memory of the process below the limit of the unit: %s',
    async (path, connections, expected, sent) => {
      const { statuses, mostMib } = await requestAtOnce(path, connections, sent);
      expect(expected).toEqual(expect.arrayContaining([...statuses]));
      expect(mostMib).toBeLessThan(LIMIT_MIB);
      expect(rest.child.exitCode).toBeNull();
    },
    120_000,
  );
});
