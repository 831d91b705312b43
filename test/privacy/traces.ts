import { Client } from 'pg';
import type { TestService } from '../support/service.ts';

/** Finds the places in which a text is stored: rows of every table, which also hold all files, sealed values included, and lines of the log. */
export async function tracesOf(service: TestService, text: string): Promise<string[]> {
  const client = new Client({ connectionString: service.databaseUrl });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(`
      select format('%I.%I', nspname, relname) as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where relkind in ('r', 'm') and nspname not in ('pg_catalog', 'information_schema') and nspname not like 'pg\\_toast%' order by 1`);
    const found: string[] = [];
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: string }>(`select to_jsonb(t)::text as row from ${name} t`);
      if (rows.some(({ row }) => contains(unsealed(service, row), text))) found.push(name);
    }
    const lines = service.log.lines.filter((line) => contains(JSON.stringify(line), text));
    return [...found, ...lines.map(({ message }) => `log: ${message}`)];
  } finally {
    await client.end();
  }
}

/**
 * Reports whether a text contains another one, in any of seven forms: plain, percent-encoded, JSON, HTML, quoted-printable, hexadecimal
 * (as the rows of files have it), base64.
 */
function contains(whole: string, part: string): boolean {
  const text = whole.toLowerCase();
  if (formsOf(part).some((form) => text.includes(form.toLowerCase()))) return true;
  return base64Of(part).some((piece) => whole.includes(piece));
}

/** Returns the forms of a text in which every letter and digit stands for itself. */
export function formsOf(text: string): string[] {
  const written = (form: (character: string) => string) => text.replaceAll(/[^A-Za-z0-9]/g, form);
  const byte = (character: string) => character.charCodeAt(0).toString(16).padStart(2, '0');
  return [
    text,
    written((character) => `%${byte(character)}`),
    encodeURIComponent(text),
    written((character) => String.raw`\u00${byte(character)}`),
    text.replaceAll('@', String.raw`\u0040`),
    written((character) => `&#${character.charCodeAt(0)};`),
    text.replaceAll('@', '&#64;'),
    text.replaceAll('@', '=40'),
    Buffer.from(text).toString('hex'),
  ];
}

/** Returns the part of a text that every base64 with the text contains, for each of the three places in a group. */
function base64Of(text: string): string[] {
  return [0, 1, 2].map((offset) => {
    const encoded = Buffer.from('\0'.repeat(offset) + text).toString('base64');
    return encoded.slice([0, 2, 3][offset], -4);
  });
}

/** Returns the row with its sealed values decrypted. */
function unsealed({ services }: TestService, row: string): string {
  return row.replaceAll(/"(v1\.[\w-]+)"/g, (_, sealed: string) => services.secrets.open(sealed));
}
