import type { TestService } from '../support/service.ts';

/**
 * Tables that change beside a call: the log of calls, when a credential was last used, and the outbox, which empties by itself (a
 * test of its own holds previews to sending no mail).
 */
const OF_EVERY_CALL = ['audit_log', 'connector', 'api_key', 'outgoing_mail'];

/** Asked once per service: to find out what tables there are takes PostgreSQL longer than to read them. */
const selections = new WeakMap<TestService, string>();

/** Every row of every table of the service, as text, table by table: equal before and after means that nothing has changed. */
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

/** Events of an account, in the order in which they were emitted. */
export function eventsOf(service: TestService, accountId: string): Promise<{ type: string; data: unknown }[]> {
  return select(service, `select type, body::json -> 'data' as data from event where account_id = ? order by id`, [accountId]);
}

function select<Row>({ services }: TestService, statement: string, parameters: unknown[] = []): Promise<Row[]> {
  return services.database.orm.em.getConnection().execute<Row[]>(statement, parameters);
}
