import { CompiledQuery } from 'kysely';
import type { TestService } from '../support/service.ts';

/**
 * Tables that every call may change, even a preview: the API log, the audit log, the last use of credentials, and the outbox, from which a worker removes sent
 * emails. A separate test checks that previews send no email.
 */
const OF_EVERY_CALL = ['api_request', 'audit_log', 'audit_subject', 'connector', 'api_key', 'outgoing_mail'];

/** SQL per service, cached because listing the tables takes longer than reading them. */
const selections = new WeakMap<TestService, string>();

/** Returns all rows of all tables as text. Equal results mean that nothing changed. */
export async function allRows(service: TestService): Promise<Record<string, string[]>> {
  let everyRow = selections.get(service);
  if (everyRow === undefined) selections.set(service, (everyRow = await selectionOfEveryRow(service)));
  const dump: Record<string, string[]> = {};
  for (const { name, row } of await select<{ name: string; row: string }>(service, everyRow)) (dump[name] ??= []).push(row);
  return dump;
}

async function selectionOfEveryRow(service: TestService): Promise<string> {
  const tables = await select<{ name: string }>(
    service,
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const observed = tables.filter(({ name }) => !OF_EVERY_CALL.includes(name));
  return `${observed.map(({ name }) => `select '${name}' as name, t::text as row from "${name}" t`).join(' union all ')} order by name, row`;
}

/** Returns the events of an account, oldest first, without test events, which no change caused. */
export function eventsOf(service: TestService, accountId: string): Promise<{ type: string; data: unknown }[]> {
  return select(
    service,
    `select type, body::json -> 'data' as data from event where account_id = $1 and not is_test order by id`,
    [accountId],
  );
}

async function select<Row>({ services }: TestService, statement: string, parameters: unknown[] = []): Promise<Row[]> {
  return (await services.database.kysely.executeQuery(CompiledQuery.raw(statement, parameters))).rows as Row[];
}

/** Returns a value as replies of tools show it: without the fields that are null. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([, child]) => child !== null);
  return Object.fromEntries(fields.map(([name, child]) => [name, withoutNulls(child)]));
}
