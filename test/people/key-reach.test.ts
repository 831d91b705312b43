/**
 * The reach of a key: its permissions, its mode, and the door through which it comes. Each operation is called with the permissions that it needs and no others,
 * without one of them, and in the mode that the key does not have. `test/mcp/permissions.test.ts` walks the tools.
 */
import { PROCEDURES, type Procedure, permissionName } from '@affiliate/core';
import { describe, expect, it } from 'vitest';
import { send } from '../support/http.ts';
import { credentials } from '../support/service.ts';
import { useAccount, useService } from '../support/suite.ts';
import { THOROUGH } from '../support/thorough.ts';

const MODES = [null, true, false] as const;
type Mode = (typeof MODES)[number];
type Door = 'tRPC' | 'REST';

const service = useService();
const account = useAccount(service, 'file');

const keys = new Map<string, Promise<string>>();
/** Returns a key of a mode with these permissions. */
function keyWith(permissions: Record<string, boolean>, livemode: Mode): Promise<string> {
  const id = JSON.stringify([permissions, livemode]);
  const issued =
    keys.get(id) ?? account.client.apiKeys.create.mutate({ name: 'Reach', permissions, livemode }).then(({ api_key }) => api_key);
  keys.set(id, issued);
  return issued;
}

/** Calls an operation without input: a key that is let in gets any status but 403. */
async function call(
  { path, type, meta }: Procedure,
  door: Door,
  apiKey: string,
  livemode?: boolean,
): Promise<'let in' | 'refused'> {
  const headers = { ...credentials(account.id, apiKey), ...(livemode !== undefined && { 'X-Livemode': String(livemode) }) };
  const { method, path: template } = meta.openapi ?? { method: 'GET', path: '' };
  const isRead = door === 'tRPC' ? type === 'query' : method === 'GET';
  const url = door === 'tRPC' ? `/trpc/${path}` : `${meta.rest!.mount}${template.replaceAll(/\{\w+\}/g, 'none')}`;
  const { status } = await send(`${service.url}${url}`, door === 'tRPC' ? (isRead ? 'GET' : 'POST') : method, {
    headers,
    ...(door === 'tRPC' && isRead && { query: { input: '{}' } }),
    ...(!isRead && method !== 'DELETE' && { body: {} }),
  });
  expect([path, door, status < 500]).toEqual([path, door, true]);
  return status === 403 ? 'refused' : 'let in';
}

const CELLS = PROCEDURES.filter(({ meta }) => meta.access).flatMap((procedure, index) => {
  const doors: Door[] = procedure.meta.openapi ? ['tRPC', 'REST'] : ['tRPC'];
  const cells = doors.flatMap((door) => MODES.map((mode) => ({ procedure, door, mode })));
  // The ordinary run tries one door and one mode of each operation, in turn.
  return THOROUGH ? cells : [cells[index % cells.length]!];
});

describe('a key', () => {
  it.each(CELLS.map((cell) => [cell.procedure.path, cell.door, cell.mode, cell] as const))(
    'reaches %s over %s in mode %s by the permissions it needs, and not without one of them',
    async (_path, _door, mode, { procedure, door }) => {
      const { resource, action, also = [] } = procedure.meta.access!;
      const needed = [resource, ...also].map((name) => permissionName('v1', name, action));
      const only = await keyWith(Object.fromEntries(needed.map((name) => [name, true])), mode);
      const seen: Record<string, string> = { 'only what it needs': await call(procedure, door, only) };
      const right: Record<string, string> = { 'only what it needs': 'let in' };
      for (const name of needed) {
        seen[`without ${name}`] = await call(procedure, door, await keyWith({ all: true, [name]: false }, mode));
        right[`without ${name}`] = 'refused';
      }
      if (mode !== null) {
        seen['in the other mode'] = await call(procedure, door, only, !mode);
        right['in the other mode'] = 'refused';
      }
      expect(seen).toEqual(right);
    },
  );
});
