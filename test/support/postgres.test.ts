import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { expect, it } from 'vitest';
import { createTestDatabase, onServer } from './postgres.ts';

it('every caller gets a separate test database', async () => {
  const [one, other] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  await onServer(one.url, 'CREATE TABLE mine ()');
  await expect(onServer(other.url, 'SELECT FROM mine')).rejects.toMatchObject({ code: '42P01' });
  await Promise.all([one.drop(), other.drop()]);
});

it('a test database can be dropped while it is in use', async () => {
  const { url, drop } = await createTestDatabase();
  const client = new Client({ connectionString: url });
  const ended = new Promise<void>((resolve) => client.once('end', resolve));
  client.on('error', () => undefined);
  await client.connect();
  await drop();
  await ended;
  await expect(onServer(url, 'SELECT')).rejects.toMatchObject({ code: '3D000' });
});

it('the test server stops with the process that requested it, however that process ends', async () => {
  const program = fileURLToPath(new URL('postgres-process.ts', import.meta.url));
  // This process stands for a test runner whose child processes inherit its pipes, and which is killed before it can clean up.
  const runner = spawn(process.execPath, ['-e', RUNNER, program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [url] = (await once(createInterface(runner.stdout), 'line')) as [string];
  await onServer(url, 'SELECT');
  const closed = once(runner.stdout, 'close');
  runner.kill('SIGKILL');
  // The server's process holds the other end of the pipe, so the pipe closes when that process exits.
  await closed;
  await expect(onServer(url, 'SELECT')).rejects.toMatchObject({ syscall: 'connect' });
});

const RUNNER = `
  const { spawn } = require('node:child_process');
  spawn(process.execPath, [process.argv[1]], { stdio: ['pipe', 'inherit', 'inherit'], detached: true });
`;
