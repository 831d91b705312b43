/**
 * Counts the statements that a process sends, including those that begin and commit transactions. Answers the parent's message `statements` with the
 * number of statements.
 */
import { Client } from 'pg';

let statements = 0;
// oxlint-disable-next-line typescript/unbound-method -- called with the client below
const query = Client.prototype.query as (...values: unknown[]) => unknown;
Client.prototype.query = function (this: Client, ...values: unknown[]) {
  statements += 1;
  return query.apply(this, values);
} as typeof Client.prototype.query;
process.on('message', (message) => {
  if (message === 'statements') process.send!({ statements });
});
