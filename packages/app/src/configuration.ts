import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import {
  type AllowedNetworks,
  parseAllowedNetworks,
  PROVIDER_KINDS,
  type ProviderKind,
  TOOL_KINDS,
  type ToolKind,
  TOOLS,
} from '@affiliate/core/vocabulary';
import { z } from 'zod';
import { OperatorError } from './errors.ts';

const port = z
  .string()
  .regex(/^\d{1,5}$/)
  .transform(Number)
  .refine((value) => value <= 65_535);
const positive = z
  .string()
  .regex(/^\d{1,9}$/)
  .transform(Number)
  .refine((value) => value > 0);
/** A century, in days. A larger number could lead to a date before the beginning of the calendar, which is invalid. */
const MAX_DAYS = 36_525;
const count = z
  .string()
  .regex(/^\d{1,9}$/)
  .transform(Number);
const url = (protocol: RegExp) => z.url({ protocol, hostname: /.*/ });

/**
 * Address of a database. `sslmode` `prefer`, `require` and `verify-ca` are read as `verify-full`, as the driver does with a warning. An IP address is
 * refused with `verify-full`, because the driver would compare the certificate with the name `localhost`.
 */
const database = [
  url(/^postgres(ql)?$/)
    .transform((address) =>
      address.includes('uselibpqcompat=true')
        ? address
        : address.replace(/(?<=[?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, 'verify-full'),
    )
    .refine((address) => !/[?&]sslmode=verify-/.test(address) || isIP(new URL(address).hostname.replace(/^\[|\]$/g, '')) === 0)
    .optional(),
  'a postgres:// address; of a host name, not of an IP address, if `sslmode` demands a certificate',
] as const;

const apiBase = [
  z
    .string()
    .regex(/^https?:\/\/[^/?#@]+\/?$/)
    .transform(withoutSlash)
    .optional(),
  'a bare http:// or https:// address: scheme, host and port',
] as const;

/** Schema of the address of the API of a tool from which programs are imported, and the end of its error message. */
const toolApiBase = (example: string) =>
  [
    z
      .string()
      .regex(/^https?:\/\/[^?#@]+$/)
      .optional(),
    `an http:// or https:// address, e.g. ${example}`,
  ] as const;

/** Returns the variable with the address of the API of a provider or tool. */
export const apiBaseOf = <Kind extends ProviderKind | ToolKind>(kind: Kind) =>
  `${kind.toUpperCase() as Uppercase<Kind>}_API_BASE` as const;

const PROVIDER_API_BASES = Object.fromEntries(PROVIDER_KINDS.map((kind) => [apiBaseOf(kind), apiBase])) as Record<
  `${Uppercase<ProviderKind>}_API_BASE`,
  typeof apiBase
>;

const TOOL_API_BASES = Object.fromEntries(
  TOOL_KINDS.map((kind) => [apiBaseOf(kind), toolApiBase(TOOLS[kind].apiBase)]),
) as Record<`${Uppercase<ToolKind>}_API_BASE`, ReturnType<typeof toolApiBase>>;

/** Schema of each variable, and the end of its error message: `NAME must be …`. */
const VARIABLES = {
  PORT: [port.default(3000), 'a port number from 0 to 65535'],
  WORKER_PORT: [port.optional(), 'a port number from 0 to 65535'],
  HOST: [z.string().default('127.0.0.1'), 'an address to listen on'],
  PUBLIC_URL: apiBase,
  DATABASE_URL: database,
  DATABASE_DIRECT_URL: database,
  DATABASE_READ_URL: database,
  DATABASE_POOL_SIZE: [positive.default(8), 'a whole number above 0'],
  DATABASE_PREPARED_STATEMENTS: [z.enum(['on', 'off']).default('on'), 'on or off'],
  DRAIN_SECONDS: [count.default(1), 'a number of seconds'],
  DATA_DIR: [z.string().default('.data'), 'a directory'],
  SECRET_KEY: [z.string().min(16).optional(), 'at least 16 characters'],
  SECRET_KEY_PREVIOUS: [z.string().min(16).optional(), 'at least 16 characters'],
  BACKUP_PASSPHRASE: [z.string().min(12).optional(), 'at least 12 characters'],
  WEBHOOK_ALLOWED_NETWORKS: [
    z.string().transform(networks).default([]),
    'networks in CIDR notation separated by commas, e.g. 127.0.0.0/8,::1/128',
  ],
  PSP_API_BASE: apiBase,
  ...PROVIDER_API_BASES,
  PAYPAL_API_BASE: apiBase,
  WISE_API_BASE: apiBase,
  ...TOOL_API_BASES,
  PSP_TIMEOUT_MS: [positive.default(10_000), 'a number of milliseconds above 0'],
  SMTP_URL: [url(/^smtps?$/).optional(), 'an smtp:// or smtps:// address'],
  MAIL_FROM: [
    z
      .string()
      .regex(/^[^@<>]+@[^@<>\s]+$|^[^<>]*<[^@<>\s]+@[^@<>\s]+>$/)
      .optional(),
    'an email address, e.g. Affiliates <noreply@example.com>',
  ],
  MAIL_REPORTS_TOKEN: [
    z
      .string()
      .regex(/^[\w-]{16,200}$/)
      .optional(),
    'at least 16 letters, digits, - or _',
  ],
  AFFILIATE_CONNECTOR_TOKEN: [z.string().optional(), 'the token of a connector'],
  AFFILIATE_API_KEY: [z.string().optional(), 'an API key'],
  NEWEST_VERSION_FILE: [z.string().optional(), 'a file'],
  LOG_LEVEL: [z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'), 'debug, info, warn, error or silent'],
  TRUSTED_PROXIES: [count.default(0), 'the number of reverse proxies in front of the service'],
  MCP_ALLOWED_ORIGINS: [
    z.string().transform(origins).optional(),
    'origins separated by commas, e.g. https://inspector.example.com',
  ],
  COUNTRY_HEADER: [
    z
      .string()
      .regex(/^[\w-]{1,100}$/)
      .optional(),
    'the name of a header, e.g. CF-IPCountry',
  ],
  METRICS_TOKEN: [z.string().min(16).optional(), 'at least 16 characters'],
  CLICK_RETENTION_DAYS: [positive.refine((days) => days <= MAX_DAYS).default(400), `a number of days from 1 to ${MAX_DAYS}`],
  INVITATIONS_PER_HOUR: [positive.optional(), 'a whole number above 0'],
  RATE_LIMIT_PER_MINUTE: [positive.optional(), 'a whole number above 0'],
  RATE_LIMIT_PUBLIC_PER_MINUTE: [positive.optional(), 'a whole number above 0'],
  RATE_LIMIT_FAILED_CREDENTIALS_PER_MINUTE: [positive.optional(), 'a whole number above 0'],
} as const satisfies Record<string, readonly [z.ZodType, string]>;

/** Variables that may be given as a file, e.g. a secret of Docker or systemd: `SECRET_KEY_FILE` names the file with the value of `SECRET_KEY`. */
export const FILE_VARIABLES = [
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_READ_URL',
  'SECRET_KEY',
  'SECRET_KEY_PREVIOUS',
  'BACKUP_PASSPHRASE',
  'SMTP_URL',
  'MAIL_REPORTS_TOKEN',
  'METRICS_TOKEN',
  'AFFILIATE_CONNECTOR_TOKEN',
  'AFFILIATE_API_KEY',
] as const satisfies Variable[];

type Variable = keyof typeof VARIABLES;
type Values = { [Name in Variable]: z.infer<(typeof VARIABLES)[Name][0]> };

type Environment = Readonly<Record<string, string | undefined>>;

/** All variables that an operator can set. docs/configuration.md explains each of them. */
export type Configuration = Readonly<Values>;

/**
 * Reads the configuration from environment variables. An empty variable counts as absent.
 *
 * @param needsSecretKey false for a command that works without SECRET_KEY
 * @throws OperatorError with one line per variable that is missing or has an invalid value
 */
export function readConfiguration(
  environment: Environment,
  { needsSecretKey = true }: { needsSecretKey?: boolean } = {},
): Configuration {
  const problems: string[] = [];
  const values = Object.fromEntries(
    Object.entries(VARIABLES).map(([name, [schema, expected]]) => {
      const { success, data } = schema.safeParse(environment[name] || fromFile(environment, name, problems));
      if (!success) problems.push(`${name} must be ${expected}.`);
      return [name, data];
    }),
  ) as Values;
  if (needsSecretKey && values.DATABASE_URL !== undefined && values.SECRET_KEY === undefined && problems.length === 0) {
    problems.push(
      'SECRET_KEY is required if DATABASE_URL is set. Set SECRET_KEY to a random text of at least 16 characters, which must be the same for every process.',
    );
  }
  if (values.DATABASE_DIRECT_URL !== undefined && values.DATABASE_URL === undefined && problems.length === 0) {
    problems.push('DATABASE_DIRECT_URL is set without DATABASE_URL. Set DATABASE_URL to the address of the pooler as well.');
  }
  if (values.SECRET_KEY_PREVIOUS !== undefined && values.SECRET_KEY === undefined && problems.length === 0) {
    problems.push('SECRET_KEY_PREVIOUS is set without SECRET_KEY. Set SECRET_KEY to the new key as well.');
  }
  if (values.SMTP_URL !== undefined && values.MAIL_FROM === undefined && problems.length === 0) {
    problems.push(
      'MAIL_FROM is required if SMTP_URL is set. Set MAIL_FROM to the sender of mails, e.g. Affiliates <noreply@example.com>.',
    );
  }
  if (problems.length > 0) throw new OperatorError(problems.join('\n'));
  return values;
}

/** Returns the content of the file that `NAME_FILE` names, without the line break at its end. Adds a problem if the file cannot be read. */
function fromFile(environment: Environment, name: string, problems: string[]): string | undefined {
  const file = (FILE_VARIABLES as readonly string[]).includes(name) ? environment[`${name}_FILE`] : undefined;
  if (!file) return undefined;
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '') || undefined;
  } catch (error) {
    problems.push(`${name}_FILE must name a file that can be read (${(error as NodeJS.ErrnoException).code}).`);
    return undefined;
  }
}

/** First words of names that only this service uses, so that another name that begins with one of them is probably a mistake. */
const OWN_WORDS =
  /^(AFFILIATE_(?!PORT|SERVICE)|BACKUP_|CLICK_|DATABASE_|DRAIN_|INVITATIONS_|MAIL_|METRICS_|PSP_|PUBLIC_|RATE_LIMIT_|SECRET_KEY|SMTP_|TRUSTED_|WEBHOOK_|WORKER_)/;
/** Variables of the command line that are not settings of the service. */
const OF_COMMANDS = ['AFFILIATE_PROFILE'];

/** Returns the variables that look like settings of the service but are none, e.g. because a name is misspelled. */
export function unknownSettings(environment: Environment): string[] {
  const known = new Set<string>([...Object.keys(VARIABLES), ...FILE_VARIABLES.map((name) => `${name}_FILE`), ...OF_COMMANDS]);
  return Object.keys(environment)
    .filter((name) => OWN_WORDS.test(name) && !known.has(name))
    .toSorted();
}

/** Returns the address at which people open the service: PUBLIC_URL, otherwise the address of this machine. */
export function publicUrl({ PUBLIC_URL, HOST, PORT }: Pick<Configuration, 'PUBLIC_URL' | 'HOST' | 'PORT'>): string {
  const isEverywhere = HOST === '0.0.0.0' || HOST === '::';
  return PUBLIC_URL ?? `http://${isEverywhere ? 'localhost' : HOST.includes(':') ? `[${HOST}]` : HOST}:${PORT}`;
}

/** Calls `parseAllowedNetworks` in a zod schema and turns its error into an issue. */
function networks(text: string, context: z.RefinementCtx): AllowedNetworks {
  try {
    return parseAllowedNetworks(text);
  } catch (error) {
    context.addIssue({ code: 'custom', message: String(error) });
    return z.NEVER;
  }
}

/** Parses a list of origins. Adds an issue if an entry has a path, or is not an http or https URL. */
function origins(text: string, context: z.RefinementCtx): string[] {
  const entries = text.split(',').map((entry) => entry.trim());
  const isOrigin = (entry: string) => /^https?:$/.test(URL.parse(entry)?.protocol ?? '') && new URL(entry).origin === entry;
  if (entries.every(isOrigin)) return entries;
  context.addIssue({ code: 'custom', message: 'not a list of origins' });
  return z.NEVER;
}

function withoutSlash(address: string): string {
  return address.replace(/\/+$/, '');
}
