import { CompiledQuery } from 'kysely';
import { PostgreSqlConnection, PostgreSqlDriver } from '@mikro-orm/postgresql';
import { WITHOUT_WAITING } from './prepared-statements.ts';

type Execute = PostgreSqlConnection['execute'];

/** The ORM's driver, with values as parameters. By itself the ORM writes them into the text, so that no statement could be prepared. */
export class BindingDriver extends PostgreSqlDriver {
  constructor(...[config]: ConstructorParameters<typeof PostgreSqlDriver>) {
    super(config);
    Object.assign(this, { connection: new BindingConnection(config) });
  }
}

/** An insert of complete rows: nothing is to be read from its outcome. */
const INSERT = /^insert into (?!.* (?:returning|on conflict) )/s;

class BindingConnection extends PostgreSqlConnection {
  override execute: Execute = async (query, params = [], method = 'all', ctx, loggerContext) => {
    if (typeof query !== 'string' || !Array.isArray(params)) return super.execute(query, params, method, ctx, loggerContext);
    await this.ensureConnection();
    const bound = this.#bind(query, params);
    const { values } = bound;
    const text = method === 'run' && INSERT.test(query) ? `${WITHOUT_WAITING} ${bound.text}` : bound.text;
    return this.executeQuery(text, async () => {
      const client = (ctx ?? this.getClient()) as ReturnType<typeof this.getClient>;
      return this.transformRawResult(await client.executeQuery(CompiledQuery.raw(text, values)), method);
    });
  };

  /** Numbers a query's `?`. Doubled ones stand for identifiers, and one after a backslash for itself. */
  #bind(query: string, params: readonly unknown[]): { text: string; values: unknown[] } {
    const values: unknown[] = [];
    let next = 0;
    const text = query.replaceAll(/\\\?|\?\??/g, (mark) => {
      if (mark === String.raw`\?`) return '?';
      const param = params[next];
      next += 1;
      if (mark === '??') return this.platform.quoteIdentifier(param as string);
      if (!isBound(query, param)) return this.platform.quoteValue(param);
      values.push(param);
      return `$${values.length}`;
    });
    return { text, values };
  }
}

/**
 * Texts, and numbers that are stored. Literals stay those whose value the planner should see, because an index or a limit depends on it: booleans
 * and the numbers of a query; and those that need the ORM's own form.
 */
function isBound(query: string, value: unknown): boolean {
  return typeof value === 'string' || (typeof value === 'number' && !query.startsWith('select'));
}
