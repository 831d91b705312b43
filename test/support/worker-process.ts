/** A worker in a process of its own, on the database of DATABASE_URL, until its standard input ends or it is killed. Prints `ready`. */
import { createSecretBox, Database, parseAllowedNetworks, type Services, StripeGateway, systemClock } from '@affiliate/core';
import { createHostResolver, JobQueue, startWorker } from '@affiliate/worker';
import { testLog } from './log.ts';

const { DATABASE_URL: url, SECRET_KEY } = process.env;
if (!url || !SECRET_KEY) throw new Error('DATABASE_URL and SECRET_KEY are required');

const log = testLog();
const database = await Database.open({ url, poolSize: 4 });
const queue = await JobQueue.open({ url, log });
const services: Services = {
  database,
  clock: systemClock,
  log,
  secrets: createSecretBox(SECRET_KEY),
  psp: new StripeGateway({ apiBase: 'http://127.0.0.1:9' }),
  wakeUps: queue.wakeUps,
  webhooks: { resolve: createHostResolver(), allowed: parseAllowedNetworks('127.0.0.0/8') },
  mailer: { send: () => Promise.reject(new Error('No mail is expected here')) },
  publicUrl: 'https://affiliates.example.com',
};
const worker = await startWorker(services, { databaseUrl: url, queue });
process.stdout.write('ready\n');

process.stdin.resume().on('end', () => {
  void worker
    .stop()
    .then(() => queue.close())
    .then(() => database.close())
    .then(() => process.exit(0));
});
