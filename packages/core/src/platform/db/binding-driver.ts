import { CompiledQuery } from 'kysely';
import { PostgreSqlConnection, PostgreSqlDriver } from '@mikro-orm/postgresql';
import { WITHOUT_WAITING } from './prepared-statements.ts';

type Execute = PostgreSqlConnection['execute'];

/**
 * The ORM's driver, except that values are sent as parameters. The original driver writes values into the SQL text, so that statements could not
 * be prepared.
 */
export class BindingDriver extends PostgreSqlDriver {
  constructor(...[config]: ConstructorParameters<typeof PostgreSqlDriver>) {
    super(config);
    Object.assign(this, { connection: new BindingConnection(config) });
  }
}

/** Matches inserts that neither return rows nor handle conflicts. Their result is not needed, so they are sent without waiting. */
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

  /** Replaces each `?` of a query by a numbered parameter or a literal, `??` by a quoted identifier, and `\?` by a question mark. */
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
 * True if a value is sent as a parameter: strings always, and numbers except in selects. Booleans, and numbers in selects, are written into the SQL
 * text, because the planner must see them to choose an index or respect a limit. Values of other types are written into it, too, because the ORM
 * formats them.
 */
function isBound(query: string, value: unknown): boolean {
  return typeof value === 'string' || (typeof value === 'number' && !query.startsWith('select'));
}
