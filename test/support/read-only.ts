import { onServer } from './postgres.ts';

/**
 * Makes new sessions of a database read-only or writable, as an administrator does. Sessions keep the value with which they began, so that all others are
 * ended before they could still write.
 */
export async function setReadOnly(databaseUrl: string, value: 'on' | 'off'): Promise<void> {
  const url = new URL(databaseUrl);
  url.searchParams.set('options', '-c default_transaction_read_only=off');
  await onServer(url.href, `alter database ${url.pathname.slice(1)} set default_transaction_read_only = ${value}`);
  if (value === 'on')
    await onServer(
      url.href,
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
}
