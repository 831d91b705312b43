import { readFileSync } from 'node:fs';
import { OperatorError } from './errors.ts';

/** Characters that systemd and Docker Compose treat in different ways outside single quotes. */
const AMBIGUOUS = /[$\\`"']|\s[#;]/;

/**
 * Reads a file of settings as both systemd (`EnvironmentFile`) and Docker Compose (`env_file`) read it: `NAME=value` in each line, a value possibly in
 * quotes, comments in lines of their own. Refuses a value that the two read differently, so that a command has the same settings as the service.
 *
 * @throws OperatorError if the file cannot be read, or a line is not clear
 */
export function readEnvFile(file: string): Record<string, string> {
  return parseEnvFile(readText(file), file);
}

export function parseEnvFile(text: string, file: string): Record<string, string> {
  const values: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const trimmed = line.trim();
    if (trimmed === '' || /^[#;]/.test(trimmed)) continue;
    const where = `${file}, line ${index + 1}`;
    const [, name, written] = /^([A-Za-z_]\w*)=(.*)$/.exec(trimmed) ?? [];
    if (name === undefined) throw new OperatorError(`${where}: Write NAME=value.`);
    values[name] = valueOf(written!, where);
  }
  return values;
}

function valueOf(written: string, where: string): string {
  const [, single] = /^'([^']*)'$/.exec(written) ?? [];
  if (single !== undefined) return single;
  const [, double] = /^"([^"]*)"$/.exec(written) ?? [];
  const value = double ?? written;
  if (AMBIGUOUS.test(value))
    throw new OperatorError(
      `${where}: Write the value in single quotes. Otherwise systemd and Docker Compose read it differently.`,
    );
  return value;
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new OperatorError(`Cannot read the settings: ${(error as Error).message}`, { cause: error });
  }
}
