import { execute, post } from '@affiliate/postgres';
import type { CompiledQuery } from 'kysely';
import type { Db } from './database.ts';

/** Placeholder for a value in a statement that is built once. */
class Place {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/**
 * Maximum number of cached texts per statement. Callers choose the filters of a list, so without this limit the number of texts would be unbounded.
 */
const MAX_TEXTS = 500;

/** A Kysely query or an SQL fragment. */
interface Buildable<Row> {
  compile(db: Db): CompiledQuery<Row>;
}

/** Values that are written into the text of a statement, such as the limit of a page. */
type Literals = Readonly<Record<string, string | number | boolean | undefined>>;

/** Arguments of the function that executes a statement. */
type Given<Values, Literal> = [db: Db, values: Values, ...literals: undefined extends Literal ? [] : [Literal]];

/**
 * Returns a function that executes a statement. The text of the statement depends only on `literals` and on which of `values` are given (not
 * undefined). Each text is built by Kysely once and cached, because building it takes longer than executing a read by id. In a transaction, the
 * statement is sent before the function returns.
 *
 * @param build makes the query from placeholders. It may check whether a value is given and pass the value on, but must not read it.
 */
export function prepared<Values extends object, Row, Literal extends Literals | undefined = undefined>(
  build: (db: Db, values: Values, literals: Literal) => Buildable<Row>,
): (...given: Given<Values, Literal>) => Promise<Row[]> {
  const statement = builtOnce<Values, Row, Literal>(build);
  return async (...given) => (await execute(given[0], statement(...given))).rows;
}

/**
 * Like `prepared`, for a statement of a transaction whose result nobody needs. If the statement fails, a later statement or the commit rejects
 * with its error.
 */
export function preparedWrite<Values extends object>(
  build: (db: Db, values: Values) => Buildable<unknown>,
): (db: Db, values: Values) => void {
  const statement = builtOnce<Values, unknown, undefined>(build);
  return (db, values) => post(db, statement(db, values));
}

function builtOnce<Values extends object, Row, Literal extends Literals | undefined>(
  build: (db: Db, values: Values, literals: Literal) => Buildable<Row>,
): (...given: Given<Values, Literal>) => CompiledQuery<Row> {
  const texts = new Map<string, CompiledQuery>();
  return (db, values, ...[literals]) => {
    let key = literals === undefined ? '' : JSON.stringify(literals);
    for (const name in values) if (values[name] !== undefined) key += ` ${name}`;
    let built = texts.get(key);
    if (built === undefined) {
      built = build(db, placesFor(values), literals).compile(db);
      if (texts.size >= MAX_TEXTS) texts.delete(texts.keys().next().value!);
      texts.set(key, built);
    }
    const parameters = built.parameters.map((each) => (each instanceof Place ? values[each.name as keyof Values] : each));
    return { ...built, parameters };
  };
}

function placesFor<Values extends object>(values: Values): Values {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name]) => [name, new Place(name)])) as Values;
}
