import { Command } from 'commander';
import { readConfiguration } from '../configuration.ts';
import { printResult, withInstallation } from './session.ts';

interface MigrateOptions {
  plan?: boolean;
  json?: boolean;
}

export function migrateCommand(): Command {
  return new Command('migrate')
    .description('apply pending database migrations (commands that start the service or change data also do this first)')
    .option('--plan', 'only show what would run, and what each statement locks')
    .option('--json', 'print one line of JSON: applied; with --plan: pending')
    .action(async ({ plan, json }: MigrateOptions) => {
      if (plan) return showPlan(json);
      printResult({ applied: await withInstallation(({ applied }) => Promise.resolve(applied)) }, { json });
    });
}

async function showPlan(json = false): Promise<void> {
  const configuration = readConfiguration(process.env);
  const [{ openDatabase, planMigrations }, { openPostgres, unusableDatabase }, { openLog }] = await Promise.all([
    import('@affiliate/core'),
    import('../installation.ts'),
    import('../log.ts'),
  ]);
  const { url, stop } = await openPostgres(configuration, openLog('warn', 'stderr'));
  try {
    const database = await openDatabase({ url });
    const planned = await Promise.allSettled([planMigrations(database)]);
    await database.close();
    if (planned[0].status === 'rejected') throw unusableDatabase(url, planned[0].reason);
    const pending = planned[0].value;
    if (json) return printResult({ pending }, { json });
    if (pending.length === 0) process.stdout.write('No migration is pending.\n');
    for (const { name, online, way, statements } of pending) {
      process.stdout.write(`${name}: ${online ? 'online' : 'NOT ONLINE, stop the service first'} (${way})\n`);
      for (const { sql, lock } of statements) process.stdout.write(`  ${lock}\n    ${oneLine(sql)}\n`);
    }
  } finally {
    await stop();
  }
}

function oneLine(sql: string): string {
  const text = sql.replaceAll(/\s+/g, ' ').trim();
  return text.length > 160 ? `${text.slice(0, 159)}…` : text;
}
