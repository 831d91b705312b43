import { OperatorError } from '../errors.ts';

/** Roots of paths that are named on the command line without `/api`. */
const ROOTS: Readonly<Record<string, string>> = { settings: '/api/settings/v1', track: '/track' };

/** Returns the path that `affiliates/aff_1`, `settings/webhook_endpoints` or `/api/v1/affiliates` stands for. */
export function pathOf(name: string): string {
  if (name.startsWith('/')) return name;
  const [first = '', ...rest] = name.split('/');
  return Object.hasOwn(ROOTS, first) ? [ROOTS[first], ...rest].join('/') : `/api/v1/${name}`;
}

/**
 * Reads the fields of a request from arguments such as `--limit 5`, `--limit=5`, `--state due,paid` and `--default`, which stands for
 * `--default true`. A field that is named several times is a list.
 */
export function fieldsOf(args: readonly string[]): Record<string, string | string[]> {
  const fields: Record<string, string | string[]> = {};
  for (let index = 0; index < args.length; index += 1) {
    const match = /^--([\w-]+)(?:=(.*))?$/s.exec(args[index]!);
    if (!match) throw new OperatorError(`Unexpected argument ${args[index]}. Name each field, e.g. \`--limit 5\`.`);
    const name = match[1]!.replaceAll('-', '_');
    let value = match[2];
    if (value === undefined && args[index + 1]?.startsWith('--') === false) {
      index += 1;
      value = args[index]!;
    }
    const earlier = fields[name];
    fields[name] = earlier === undefined ? (value ?? 'true') : [earlier, value ?? 'true'].flat();
  }
  return fields;
}

/** Returns fields as they are in a JSON body: numbers, booleans, null, lists and objects in JSON, everything else as text. */
export function bodyOf(fields: Readonly<Record<string, string | string[]>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, typeof value === 'string' ? valueOf(value) : value.map(valueOf)]),
  );
}

function valueOf(text: string): unknown {
  if (!/^(-?\d+(\.\d+)?|true|false|null|[[{].*)$/s.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
