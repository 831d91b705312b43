import type { CompiledQuery } from 'kysely';
import type { Db } from './database.ts';
import { executeDirectly } from './direct-statements.ts';

/** Placeholder for a value in a statement that is built once. */
class Place {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** Texts that are kept. Callers choose the filters of a list, so their number must be bounded. */
const MAX_TEXTS = 500;

/** A query of Kysely, or SQL. */
interface Buildable<Row> {
  compile(db: Db): CompiledQuery<Row>;
}

/** Values that stand in the text itself, such as the limit of a page. Functions return parts of it that are always the same, such as the columns of a table. */
type Literals = Readonly<Record<string, string | number | boolean | undefined | (() => string)>>;

/**
 * A statement whose text depends only on `literals` and on which of its values are given, meaning not undefined. Kysely builds each text at the
 * first execution: building it takes longer than executing a read by id.
 *
 * @param build makes the query. It may ask whether a value is given, and pass it on, but not look at it: values are places for those of each
 *   execution
 */
export function builtOnce<Values extends object, Row, Literal extends Literals | undefined = undefined>(
  build: (db: Db, values: Values, literals: Literal) => Buildable<Row>,
): (db: Db, values: Values, ...literals: undefined extends Literal ? [] : [Literal]) => Promise<Row[]> {
  const texts = new Map<string, CompiledQuery>();
  return async (db, values, ...[literals]) => {
    // Leaves functions out.
    let key = literals === undefined ? '' : JSON.stringify(literals);
    for (const name in values) if (values[name] !== undefined) key += ` ${name}`;
    let built = texts.get(key);
    if (built === undefined) {
      built = build(db, placesFor(values), literals as Literal).compile(db);
      if (texts.size >= MAX_TEXTS) texts.delete(texts.keys().next().value!);
      texts.set(key, built);
    }
    const parameters = built.parameters.map((each) => (each instanceof Place ? values[each.name as keyof Values] : each));
    return (await executeDirectly<Row>(db, { ...built, parameters })).rows;
  };
}

function placesFor<Values extends object>(values: Values): Values {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name]) => [name, new Place(name)])) as Values;
}
