import { child, children, childText, type XmlNode, xmlParser } from '../../../platform/wire/xml.ts';

/** A person or company that a list names. */
interface ListedEntry {
  /** The list's own reference. */
  entry: string;
  names: string[];
  /** Days or years of birth, as the list has them. */
  born: string | null;
}

export interface ReadList {
  list: string;
  /** Day on which the authority made this version, e.g. `2026-11-27`. */
  list_date: string;
  entries: ListedEntry[];
}

/** A file that cannot be read as a list. The message says why. */
export class UnreadableList extends Error {}

/** How the file of an authority is read. */
interface Format {
  list: string;
  /** Name of the root element. */
  root: string;
  /** Names of the elements that are entries. */
  records: readonly string[];
  /** Finds the day of the version in the beginning of the file: year, month and day. */
  date: RegExp;
  read: (record: XmlNode) => Omit<ListedEntry, 'entry'> & { entry: string | undefined };
}

const joined = (...parts: (string | undefined)[]) => parts.filter(Boolean).join(' ');
const texts = (nodes: readonly XmlNode[], name: string) => nodes.flatMap((node) => childText(node, name) ?? []);
const bornOn = (days: readonly string[]) => (days.length === 0 ? null : [...new Set(days)].join('; '));
const personName = (node: XmlNode) => joined(childText(node, 'firstName'), childText(node, 'lastName'));

/** The lists of the authorities, in the files in which they publish them. */
const FORMATS: readonly Format[] = [
  {
    // Office of Foreign Assets Control of the United States: `sdn.xml`.
    list: 'ofac',
    root: 'sdnList',
    records: ['sdnEntry'],
    date: /<Publish_Date>\s*(?<month>\d\d)\/(?<day>\d\d)\/(?<year>\d{4})/,
    read: (record) => ({
      entry: childText(record, 'uid'),
      names: [record, ...children(child(record, 'akaList'), 'aka')].map(personName),
      born: bornOn(texts(children(child(record, 'dateOfBirthList'), 'dateOfBirthItem'), 'dateOfBirth')),
    }),
  },
  {
    // Security Council of the United Nations: `consolidated.xml`.
    list: 'un',
    root: 'CONSOLIDATED_LIST',
    records: ['INDIVIDUAL', 'ENTITY'],
    date: /dateGenerated="(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)/,
    read: (record) => {
      const parts = ['FIRST_NAME', 'SECOND_NAME', 'THIRD_NAME', 'FOURTH_NAME'].map((name) => childText(record, name));
      const aliases = [...children(record, 'INDIVIDUAL_ALIAS'), ...children(record, 'ENTITY_ALIAS')];
      const births = children(record, 'INDIVIDUAL_DATE_OF_BIRTH');
      return {
        entry: childText(record, 'REFERENCE_NUMBER'),
        names: [
          joined(...parts),
          childText(record, 'NAME_ORIGINAL_SCRIPT') ?? '',
          ...texts(aliases, 'ALIAS_NAME').flatMap((names) => names.split(';')),
        ],
        born: bornOn([
          ...texts(births, 'DATE'),
          ...texts(births, 'YEAR'),
          ...texts(births, 'FROM_YEAR'),
          ...texts(births, 'TO_YEAR'),
        ]),
      };
    },
  },
  {
    // The UK Sanctions List.
    list: 'uk',
    root: 'Designations',
    records: ['Designation'],
    date: /<DateGenerated>\s*(?<day>\d\d)\/(?<month>\d\d)\/(?<year>\d{4})/,
    read: (record) => ({
      entry: childText(record, 'UniqueID'),
      names: [
        ...children(child(record, 'Names'), 'Name').map((name) =>
          joined(...[1, 2, 3, 4, 5, 6].map((number) => childText(name, `Name${number}`))),
        ),
        ...texts(children(child(record, 'NonLatinNames'), 'NonLatinName'), 'NameNonLatinScript'),
      ],
      born: bornOn(
        children(child(child(child(record, 'IndividualDetails'), 'Individual'), 'DOBs'), 'DOB').flatMap((day) =>
          typeof day === 'string' ? [day] : [],
        ),
      ),
    }),
  },
  {
    // The consolidated list of the European Union, in its XML of version 1.1.
    list: 'eu',
    root: 'export',
    records: ['sanctionEntity'],
    date: /generationDate="(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)/,
    read: (record) => ({
      entry: childText(record, '@euReferenceNumber') ?? childText(record, '@logicalId'),
      names: texts(children(record, 'nameAlias'), '@wholeName'),
      born: bornOn(
        children(record, 'birthdate').flatMap((birth) => childText(birth, '@birthdate') ?? childText(birth, '@year') ?? []),
      ),
    }),
  },
];

/** Characters of the beginning of a file in which the day of its version is. */
const HEAD = 5_000;

/** Reads the file of an authority. Throws `UnreadableList`, also for a file that is cut off. */
export async function readList(file: string): Promise<ReadList> {
  const format = FORMATS.find(({ root }) =>
    new RegExp(`^\\s*(?:<\\?[^>]*>\\s*)?<(?:\\w+:)?${root}[\\s>]`).test(file.slice(0, HEAD).replace(/^\uFEFF/, '')),
  );
  if (!format) throw new UnreadableList('The file is none of the lists that can be read: OFAC (sdn.xml), UN, UK and EU, as XML.');
  const { list, root, records, date, read } = format;
  if (!new RegExp(`</(?:\\w+:)?${root}>\\s*$`).test(file.slice(-HEAD))) throw new UnreadableList('The file is cut off.');
  const { year, month, day } = date.exec(file.slice(0, HEAD))?.groups ?? {};
  if (year === undefined) throw new UnreadableList('The file does not say of which day it is.');
  const parse = await xmlParser();
  const entries: ListedEntry[] = [];
  // A list has tens of megabytes, so one entry after the other is parsed.
  for (const [text, name] of file.matchAll(new RegExp(`<(${records.join('|')})[\\s>].*?</\\1>`, 'gs'))) {
    const document = parse(text);
    if (document === null) throw new UnreadableList('The file is no valid XML.');
    const { entry, names, born } = read(child(document, name!)!);
    const known = [...new Set(names.map((each) => each.trim().replaceAll(/\s+/g, ' ')).filter((each) => each !== ''))];
    if (entry === undefined || known.length === 0) throw new UnreadableList('An entry of the file has no reference or no name.');
    entries.push({ entry, names: known, born });
  }
  if (entries.length === 0) throw new UnreadableList('The file has no entries.');
  return { list, list_date: `${year}-${month}-${day}`, entries };
}
