/**
 * Counts the statements that a process sends, including those that begin and commit transactions, and apart from them those of pg-boss, which has
 * a driver of its own. Answers the parent's message `statements` with both numbers.
 */
import { createRequire } from 'node:module';
import { Client } from 'pg';

const counted = { statements: 0, ofJobQueue: 0 };

function count(client: typeof Client, kind: keyof typeof counted): void {
  // oxlint-disable-next-line typescript/unbound-method -- called with the client below
  const query = client.prototype.query as (...values: unknown[]) => unknown;
  client.prototype.query = function (this: Client, ...values: unknown[]) {
    counted[kind] += 1;
    return query.apply(this, values);
  } as typeof client.prototype.query;
}

const { resolve } = createRequire(new URL('../../packages/worker/package.json', import.meta.url));
const ofJobQueue = createRequire(resolve('pg-boss'))('pg') as { Client: typeof Client };
count(Client, 'statements');
if (ofJobQueue.Client !== Client) count(ofJobQueue.Client, 'ofJobQueue');
process.on('message', (message) => {
  if (message === 'statements') process.send!(counted);
});
