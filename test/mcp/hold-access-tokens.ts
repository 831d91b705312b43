import { Client } from 'pg';
import { areWaiting } from '../support/locks.ts';

/** Blocks the insert of access tokens until released. The service inserts the refresh token first, so it is already written. */
export async function holdAccessTokens(databaseUrl: string) {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`create function wait() returns trigger language plpgsql as
    $$ begin perform pg_advisory_xact_lock(1); return new; end $$;
    create trigger wait before insert on oauth_access_token for each row execute function wait();
    select pg_advisory_lock(1)`);
  return {
    /** Settles when this number of transactions wait, for the release or for each other. */
    isWaited: (transactions = 1) => areWaiting(client, transactions),
    letGo: () => client.query('select pg_advisory_unlock_all()'),
    [Symbol.asyncDispose]: async () => {
      await client.query('select pg_advisory_unlock_all()');
      await client.query('drop function wait cascade');
      await client.end();
    },
  };
}
