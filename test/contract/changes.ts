import { Client } from 'pg';

/** Detects writes to a database. Triggers log every inserted, changed or deleted row in the transaction that writes it. */
export class Changes {
  readonly #client: Client;
  #seen = 0;

  private constructor(client: Client) {
    this.#client = client;
  }

  static async watch(databaseUrl: string): Promise<Changes> {
    const client = new Client({ connectionString: databaseUrl });
    await client.connect();
    await client.query(WATCH);
    return new Changes(client);
  }

  /** Returns the writes since the last call, as `table OPERATION`. */
  async take(): Promise<string[]> {
    const { rows } = await this.#client.query<{ id: number; what: string }>({
      name: 'take',
      text: 'select id::int as id, what from watched.change where id > $1 order by id',
      values: [this.#seen],
    });
    this.#seen = rows.at(-1)?.id ?? this.#seen;
    return rows.map(({ what }) => what);
  }

  close(): Promise<void> {
    return this.#client.end();
  }
}

/**
 * SQL that watches all tables and columns, except those that change on every request: last use of credentials, sign-in attempts, the API log, the audit log
 * (which also records refusals), and the delivery of an email.
 */
const WATCH = `
  create schema watched;
  create table watched.change (id bigserial primary key, what text not null);
  create function watched.note() returns trigger language plpgsql as $$
  begin
    if tg_op = 'UPDATE' and to_jsonb(old) - 'last_used_at' = to_jsonb(new) - 'last_used_at' then return null; end if;
    if tg_table_name = 'outgoing_mail' and tg_op <> 'INSERT' then return null; end if;
    insert into watched.change (what) values (tg_table_name || ' ' || tg_op);
    return null;
  end $$;
  do $$ declare name text; begin
    for name in select table_name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not in ('audit_log', 'audit_subject', 'auth_attempt', 'api_request')
        and not (select relispartition from pg_class where oid = format('public.%I', table_name)::regclass)
    loop
      execute format('create trigger watched after insert or update or delete on %I for each row execute function watched.note()', name);
    end loop;
  end $$;`;
