import { Client } from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Running, startProgram } from '../app/program.ts';
import { holdAccessTokens } from '../mcp/hold-access-tokens.ts';
import { OauthSetting } from '../mcp/oauth-setting.ts';
import type { RemoteAssistant } from '../mcp/remote-assistant.ts';
import { builtProgram } from '../support/built-program.ts';
import { send } from '../support/http.ts';
import { areWaiting } from '../support/locks.ts';
import { SECRET_KEY } from '../support/service.ts';

const setting = OauthSetting.forThisFile();

beforeAll(async () => {
  await builtProgram();
});

/** Starts the program on the database of the service. */
const start = () =>
  startProgram(['rest'], {
    DATABASE_URL: setting.service.databaseUrl,
    SECRET_KEY,
    PUBLIC_URL: setting.service.services.publicUrl,
    PORT: '0',
  });

/** Sends the assistant's refresh token to a program. */
function refreshAt({ url }: Running, { kept }: RemoteAssistant) {
  const form = { grant_type: 'refresh_token', client_id: kept.client!.client_id, refresh_token: kept.tokens!.refresh_token! };
  return send<{ access_token: string; refresh_token: string }>(`${url}/auth/oauth2/token`, 'POST', {
    raw: new URLSearchParams(form).toString(),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  });
}

/** Counts the refresh tokens of an assistant that can still be used. */
async function usableTokens({ kept }: RemoteAssistant): Promise<number> {
  const rows = await setting.service.services.database.kysely
    .selectFrom('oauth_refresh_token')
    .select('id')
    .where('client_id', '=', kept.client!.client_id)
    .where('revoked_at', 'is', null)
    .execute();
  return rows.length;
}

/** Kills a program while its exchange of a refresh token waits, then lets the database go on. */
async function killWhileExchanging(
  assistant: RemoteAssistant,
  isWaited: () => Promise<unknown>,
  letGo: () => Promise<unknown>,
): Promise<void> {
  const program = await start();
  const interrupted = refreshAt(program, assistant).catch(() => 'no answer');
  await isWaited();
  await program.end('SIGKILL');
  expect(await interrupted).toBe('no answer');
  await letGo();
  await using client = Object.assign(new Client({ connectionString: setting.service.databaseUrl }), {
    [Symbol.asyncDispose]: () => client.end(),
  });
  await client.connect();
  // PostgreSQL rolls the transaction back when it notices that the program is gone.
  await expect
    .poll(
      async () =>
        (await client.query(`select from pg_stat_activity where state like '%in transaction%' and datname = current_database()`))
          .rowCount,
    )
    .toBe(0);
  await areWaiting(client, 0);
}

describe('a refresh token whose exchange is killed', () => {
  it('still works if the new tokens were not complete, and gives one chain of tokens', async () => {
    const assistant = await setting.connected();
    {
      await using hold = await holdAccessTokens(setting.service.databaseUrl);
      await killWhileExchanging(assistant, () => hold.isWaited(), hold.letGo);
    }
    expect(await usableTokens(assistant)).toBe(1);
    const { status, body } = await assistant.refresh(assistant.kept.tokens!.refresh_token!);
    expect([status, await setting.statusOf(body['access_token'])]).toEqual([200, 200]);
    expect(await usableTokens(assistant)).toBe(1);
  });

  it('still works if it was not marked as used yet', async () => {
    const assistant = await setting.connected();
    const client = new Client({ connectionString: setting.service.databaseUrl });
    await client.connect();
    await client.query('begin');
    await client.query('select from oauth_refresh_token for update');
    const watcher = new Client({ connectionString: setting.service.databaseUrl });
    await watcher.connect();
    await killWhileExchanging(
      assistant,
      () => areWaiting(watcher, 1),
      () => client.query('rollback'),
    );
    await Promise.all([client.end(), watcher.end()]);
    const { status, body } = await assistant.refresh(assistant.kept.tokens!.refresh_token!);
    expect([status, await setting.statusOf(body['access_token'])]).toEqual([200, 200]);
    expect(await usableTokens(assistant)).toBe(1);
  });

  it('does not work any more after its exchange was answered: the new one does', async () => {
    const assistant = await setting.connected();
    const program = await start();
    const { status, body } = await refreshAt(program, assistant);
    await program.end('SIGKILL');
    expect([status, await setting.statusOf(body.access_token), await usableTokens(assistant)]).toEqual([200, 200, 1]);
    const next = await assistant.refresh(body.refresh_token);
    expect([next.status, await usableTokens(assistant)]).toEqual([200, 1]);
    expect((await assistant.refresh(assistant.kept.tokens!.refresh_token!)).status).toBe(400);
    expect(await usableTokens(assistant)).toBe(0);
  });
});
