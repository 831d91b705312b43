/**
 * The service in a process of its own, to be killed: on the database, the payment provider and the secret key that the environment
 * names. Prints its address as its only line, and ends with whoever started it.
 */
import { createSecretBox, Database, parseAllowedNetworks, StripeGateway, systemClock } from '@affiliate/core';
import { createApp, listen } from '@affiliate/rest';
import { createHostResolver } from '@affiliate/worker';
import { testLog } from '../support/log.ts';

const { DATABASE_URL, PSP_API_BASE, SECRET_KEY } = process.env;
if (!DATABASE_URL || !PSP_API_BASE || !SECRET_KEY) throw new Error('DATABASE_URL, PSP_API_BASE and SECRET_KEY are required');

const app = createApp({
  database: await Database.open({ url: DATABASE_URL }),
  clock: systemClock,
  log: testLog(),
  secrets: createSecretBox(SECRET_KEY),
  psp: new StripeGateway({ apiBase: PSP_API_BASE }),
  wakeUps: { deliveries: () => undefined },
  webhooks: { resolve: createHostResolver(), allowed: parseAllowedNetworks('') },
  mailer: { send: () => Promise.reject(new Error('No mail is expected here')) },
  publicUrl: 'https://affiliates.example.com',
});
const server = await listen(app, { host: '127.0.0.1', port: 0 });
process.stdout.write(`${server.url}\n`);
process.stdin.resume().on('end', () => process.exit(0));
