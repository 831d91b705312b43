import type { CompiledQuery, Compilable } from 'kysely';
import type { Db } from './database.ts';

/** Stands for a value in the text of a statement that is built once. */
class Place {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

const PLACES = new Proxy<Record<string, Place>>({}, { get: (_, name) => new Place(String(name)) });

/**
 * A statement whose text does not depend on its values. Kysely builds the text at the first execution: building it takes longer than
 * executing a read by id.
 *
 * @param build makes the query. It may only pass the values on, and must not look at them: they are places for those of each execution
 */
export function builtOnce<Values extends object, Row>(
  build: (db: Db, values: Values) => Compilable<Row>,
): (db: Db, values: Values) => Promise<Row[]> {
  let built: CompiledQuery | undefined;
  return async (db, values) => {
    built ??= build(db, PLACES as Values).compile();
    const parameters = built.parameters.map((each) => (each instanceof Place ? values[each.name as keyof Values] : each));
    return (await db.executeQuery<Row>({ ...built, parameters })).rows;
  };
}
