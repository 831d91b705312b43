/**
 * Patterns for the beginning of a migration's statement, each with the lock that the statement takes. The first match
 * counts.
 */
const LOCKS: readonly [RegExp, (match: RegExpExecArray) => string][] = [
  [/^(?:create (?:unique )?index|drop index) concurrently/, () => 'share update exclusive: reads and writes go on'],
  [
    /^alter table (\S+) validate constraint/,
    ([, table]) => `share update exclusive on ${table}: reads and writes go on while it is scanned`,
  ],
  [/^alter table (?:if exists )?(\S+)/, ([, table]) => `access exclusive on ${table}, for a moment`],
  [/^drop index (?:if exists )?(\S+)/, ([, index]) => `access exclusive on the table of ${index}, for a moment`],
  [/^lock table (.+) in access exclusive mode/, ([, tables]) => `access exclusive on ${tables}, for a moment`],
  [/^drop (?:table|trigger|function)/, () => 'access exclusive, for a moment'],
  [/^create trigger [\s\S]*? on (\S+)/, ([, table]) => `share row exclusive on ${table}, for a moment: writes wait`],
  [/^create (?:unique )?index \S+ on (\S+)/, ([, table]) => `share on ${table} while it is built: writes wait`],
  [
    /^create (?:unlogged )?table[\s\S]*? references /,
    () => 'share row exclusive on the referenced tables, until the migration is committed: writes wait',
  ],
  [/^(?:create (?:or replace )?(?:(?:unlogged )?table|function|sequence)|alter function)/, () => 'none'],
  [
    /^do [\s\S]*? lock table (\S+) in share row exclusive/,
    ([, table]) => `share row exclusive on ${table}, for a moment in each batch: writes wait`,
  ],
  [/^(?:do|insert|update|delete|with|select)\b/, () => 'row locks, until each batch is committed'],
];

/**
 * Describes the lock that a statement takes. Returns `unknown` for a kind of statement that no migration has used yet.
 */
export function lockOf(statement: string): string {
  const text = statement.trim().toLowerCase();
  for (const [pattern, describe] of LOCKS) {
    const match = pattern.exec(text);
    if (match) return describe(match);
  }
  return 'unknown';
}
