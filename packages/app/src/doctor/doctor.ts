import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { BUILD, BUILD_NAME } from '../build-name.ts';
import { type Configuration, readConfiguration, unknownSettings } from '../configuration.ts';
import { OperatorError } from '../errors.ts';
import { openPostgres } from '../installation.ts';
import { openLog } from '../log.ts';
import { loadSecretKey } from '../secret-key.ts';
import { checkDatabase } from './database-checks.ts';
import { type Finding, STATUSES, failed, ok, reasonOf, warning } from './findings.ts';
import { checkAddress, checkAddressGuard, checkDisk, checkMail, checkVersion } from './machine-checks.ts';

/** Checks an installation from this machine. Changes nothing, but starts the embedded PostgreSQL if it is not running. */
export async function examine(environment: Readonly<Record<string, string | undefined>>): Promise<Finding[]> {
  let configuration: Configuration;
  try {
    configuration = readConfiguration(environment);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return error.message
      .split('\n')
      .map((line) => failed('configuration', line, 'Correct this variable. docs/configuration.md explains it.'));
  }
  const groups = await Promise.all([
    checkVersion(configuration, BUILD.version),
    checkDisk(configuration),
    findDatabase(configuration),
    checkMail(configuration),
    checkAddressGuard(configuration),
  ]);
  return [checkSettings(environment), checkAddress(configuration), ...groups.flat()];
}

function checkSettings(environment: Readonly<Record<string, string | undefined>>): Finding {
  const found = `version ${BUILD_NAME}, Node ${process.versions.node}`;
  const unknown = unknownSettings(environment);
  if (unknown.length === 0) return ok('configuration', found);
  const advice = 'Correct their names, or unset them. docs/configuration.md lists the known ones.';
  return warning('configuration', `${found}; unknown settings: ${unknown.join(', ')}`, advice);
}

async function findDatabase(configuration: Configuration): Promise<Finding[]> {
  const { DATABASE_URL, DATA_DIR, SECRET_KEY, SECRET_KEY_PREVIOUS, CLICK_RETENTION_DAYS } = configuration;
  if (DATABASE_URL === undefined && !(await isThere(join(DATA_DIR, 'postgresql')))) {
    return [
      warning(
        'database',
        `there is no database in DATA_DIR ${DATA_DIR} yet`,
        'Start the service, which creates the database, or set DATABASE_URL.',
      ),
    ];
  }
  try {
    const { url, stop } = await openPostgres(configuration, openLog('silent', 'stderr'));
    try {
      const key = SECRET_KEY ?? (await loadSecretKey(DATA_DIR));
      const keys = key === null ? null : { present: key, previous: SECRET_KEY_PREVIOUS };
      return await checkDatabase(url, keys, CLICK_RETENTION_DAYS);
    } finally {
      await stop();
    }
  } catch (error) {
    return [failed('database', reasonOf(error), 'Fix the cause, then run `affiliate doctor` again.')];
  }
}

/** Returns the findings as text: one line each, followed by the advice if something needs to be done. */
export function report(findings: readonly Finding[]): string {
  const width = Math.max(...STATUSES.map((status) => status.length));
  const indent = ' '.repeat(width + 2);
  return findings
    .map(({ check, status, found, advice }) =>
      [`${status.padEnd(width)}  ${check}: ${found}`, ...(advice === null ? [] : [`${indent}${advice}`])].join('\n'),
    )
    .join('\n');
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
