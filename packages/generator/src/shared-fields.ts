/*
 * Fields that many types of the packed client have in common, as interfaces of their own (client-types.ts). The types that editors and compilers see
 * stay the same.
 */

/** Interfaces of fields that many types share, and their fields. Longer ones come first. */
const SHARED: readonly (readonly [name: string, doc: string, fields: string])[] = [
  ['Stored', 'A record of the account.', 'id:string;livemode:boolean;created_at:string;updated_at:string'],
  ['Matchable', 'Data of the merchant about a record.', 'external_id:string|null;metadata:Metadata'],
  [
    'Matching',
    'Data of the merchant about a record. Null removes the id, or the value of a key.',
    'external_id?:string|null;metadata?:Record<string, string|null>',
  ],
  ['Updated', 'Filter by the time of the last change.', 'updated_since?:string;updated_until?:string'],
  ['Created', 'Filter by the time of creation.', 'created_since?:string;created_until?:string'],
  [
    'Matched',
    'Filter by ids, and by data of the merchant.',
    'ids?:string[];external_id?:string;metadata?:Record<string, string>',
  ],
  ['Within', 'Filter by amount.', 'currency?:string;amount_from_cents?:number;amount_to_cents?:number'],
  ['Money', '', 'amount_cents:number;currency:string'],
  ['Person', '', 'email:string;first_name:string|null;last_name:string|null'],
  ['Placed', '', 'affiliate_id:string;campaign_id:string'],
  ['Placing', '', 'affiliate_id?:string;campaign_id?:string'],
  [
    'Figures',
    'Figures of a report.',
    'average_order_cents:number|null;charges_cents:number;clicks:number;commissions_cents:number;conversion_rate:number|null;conversions:number;earnings_per_click_cents:number|null;leads:number;lifetime_value_cents:number|null;net_revenue_cents:number;payouts_cents:number|null;refund_rate:number|null;refunds_cents:number;sales:number;unique_visitors:number',
  ],
  [
    'RewardTerms',
    'The base reward of a campaign, and its limits.',
    'commission_percent:number|null;commission_amount_cents:number|null;commission_amount_currency:string|null;max_commission_period_months:number|null;max_commissions:number|null',
  ],
  [
    'Visit',
    'A click of a visitor.',
    'at:string;link_id:string;landing_path:string|null;referrer_host:string|null;country:string|null;device:string|null;browser:string|null',
  ],
  ['Dated', '', 'created_at:string;updated_at:string'],
  ['Id', '', 'id:string'],
];

/** An interface and its fields. */
interface Shared {
  name: string;
  fields: ReadonlySet<string>;
}

/** A type within a text: an object, whose fields are texts. */
interface Found {
  fields: string[];
  end: number;
}

/** Returns the fields of the object type that begins at a brace. */
function objectAt(text: string, start: number): Found {
  const fields: string[] = [];
  let depth = 0;
  let from = start + 1;
  for (let at = start + 1; at < text.length; at += 1) {
    const character = text[at]!;
    const isEnd = character === '}' && depth === 0;
    if ((character === ';' && depth === 0) || isEnd) {
      if (at > from) fields.push(text.slice(from, at));
      from = at + 1;
    }
    if (isEnd) return { fields, end: at + 1 };
    if ('{(['.includes(character)) depth += 1;
    else if ('})]'.includes(character)) depth -= 1;
  }
  throw new Error(`This object type has no end: ${text.slice(start, start + 40)}`);
}

/** Names the shared fields of all object types in a text. */
class Sharing {
  readonly #shared: readonly Shared[];

  constructor(shared: readonly Shared[]) {
    this.#shared = shared;
  }

  /** Returns the text of a type with shared fields named. */
  typeText(text: string): string {
    let result = '';
    let at = 0;
    for (let start = text.indexOf('{'); start !== -1; start = text.indexOf('{', at)) {
      result += text.slice(at, start);
      if (text[start - 1] === '$') {
        result += '{';
        at = start + 1;
        continue;
      }
      const { fields, end } = objectAt(text, start);
      const { bases, rest } = this.divided(fields);
      const parts = [...bases, ...(rest.length > 0 ? [`{${rest.join(';')}}`] : [])];
      const whole = parts.join('&');
      result += parts.length > 1 && text.startsWith('[]', end) ? `(${whole})` : whole || '{}';
      at = end;
    }
    return result + text.slice(at);
  }

  /** Divides the fields of a type into the interfaces that have some of them, and the other fields. */
  divided(fields: readonly string[], except?: string): { bases: string[]; rest: string[] } {
    let rest = fields;
    const bases: string[] = [];
    for (const { name, fields: shared } of this.#shared) {
      const own = new Set(rest);
      if (name === except || !shared.isSubsetOf(own)) continue;
      bases.push(name);
      rest = rest.filter((field) => !shared.has(field));
    }
    return { bases, rest: rest.map((field) => this.typeText(field)) };
  }
}

const RECORD = /^interface (\w+) (?:extends (\w+) )?(\{.*\})$/;
const ALIAS = /^type (\w+) = (.*);$/;

/**
 * Returns declarations with shared fields as interfaces. Each declaration, and each operation, is one line.
 *
 * @param fieldsOf interfaces of the fields that the writes of a resource share, by name
 */
export function withSharedFields(declarations: string, fieldsOf: ReadonlyMap<string, readonly string[]>): string {
  const shared = [
    ...[...fieldsOf].map(([name, fields]) => ({ name, doc: '', fields: new Set(fields) })),
    ...SHARED.map(([name, doc, fields]) => ({ name, doc, fields: new Set(fields.split(';')) })),
  ].filter(({ fields }) => [...fields].every((field) => declarations.includes(field)));
  const sharing = new Sharing(shared);
  const lines = declarations.split('\n').map((line) => {
    const [, name, base, body] = RECORD.exec(line) ?? [];
    if (body !== undefined) {
      const { bases, rest } = sharing.divided(objectAt(body, 0).fields);
      const all = [...(base === undefined ? [] : [base]), ...bases];
      return `interface ${name} ${all.length > 0 ? `extends ${all.join()} ` : ''}{${rest.join(';')}}`;
    }
    return ALIAS.test(line) || /: (Query|Mutation)</.test(line) ? sharing.typeText(line) : line;
  });
  const interfaces = shared.map(({ name, doc, fields }) => {
    const { bases, rest } = sharing.divided([...fields], name);
    return `${doc === '' ? '' : `/** ${doc} */\n`}interface ${name} ${bases.length > 0 ? `extends ${bases.join()} ` : ''}{${rest.join(';')}}`;
  });
  return withSharedValues([...interfaces, ...lines]).join('\n');
}

/** Minimum number of values of an enumeration that another one includes by name. */
const MIN_INCLUDED = 4;

/** Names enumerations within larger ones. */
function withSharedValues(lines: readonly string[]): string[] {
  const valuesOf = (text: string) => (/^['`]/.test(text) ? text.split(/\|(?=['`])/) : []);
  const enumerations = lines
    .flatMap((line) => {
      const [, name, text = ''] = ALIAS.exec(line) ?? [];
      return name !== undefined && valuesOf(text).length >= MIN_INCLUDED ? [{ name, values: new Set(valuesOf(text)) }] : [];
    })
    .toSorted((a, b) => b.values.size - a.values.size);
  return lines.map((line) => {
    const [, name, text = ''] = ALIAS.exec(line) ?? [];
    const values = new Set(valuesOf(text));
    const part = enumerations.find((each) => each.values.size < values.size && each.values.isSubsetOf(values));
    return name === undefined || !part
      ? line
      : `type ${name} = ${[part.name, ...[...values].filter((each) => !part.values.has(each))].join('|')};`;
  });
}

/** Operations of a resource whose inputs have fields in common. */
const WRITES = ['create', 'update', 'upsert'];
/** Fewer or shorter fields get no interface of their own. */
const MIN_SHARED_LENGTH = 60;

/**
 * Finds the optional fields that the writes of a resource share.
 *
 * @returns them by the name of their interface, e.g. `CampaignFields`
 */
export function fieldsOfWrites(declarations: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const aliases = new Map([...declarations.matchAll(/^type (\w+) = (\{.*\});$/gm)].map(([, name, text]) => [name!, text!]));
  for (const [, room, operations] of declarations.matchAll(/^(\w+): Room<\{\n([^]*?)^\}>;$/gm)) {
    const inputs = [...operations!.matchAll(/^(\w+): Mutation<(\{|\w+)/gm)]
      .filter(([, name]) => WRITES.includes(name!))
      .flatMap(({ index, 0: { length }, 2: begin }) => {
        const text = begin === '{' ? operations!.slice(index + length - 1) : aliases.get(begin!);
        return text === undefined ? [] : [new Set(objectAt(text, 0).fields)];
      });
    if (inputs.length < 2) continue;
    const common = inputs.reduce((all, each) => all.intersection(each));
    const fields = [...common].filter((field) => /^\w+\?:/.test(field));
    if (fields.join(';').length >= MIN_SHARED_LENGTH)
      found.set(`${room!.charAt(0).toUpperCase()}${room!.slice(1, -1)}Fields`, fields);
  }
  return found;
}
