import { Command, InvalidArgumentError } from 'commander';
import { printResult, withInstallation } from './session.ts';

interface BackfillOptions {
  accountId: string;
  days: number;
  json?: boolean;
}

export function pspCommand(): Command {
  const psp = new Command('psp').description('payment provider');
  psp
    .command('backfill')
    .description('fetch and process events that the payment provider could not deliver; safe to repeat')
    .requiredOption('--account-id <id>', 'account with the provider connection')
    .option('--days <number>', 'days to go back, 1 to 30; the provider keeps events for 30 days', days, 3)
    .option('--json', 'print one line of JSON: processed, duplicate, ignored, failed')
    .action(async ({ json, ...input }: BackfillOptions) => {
      const { backfillPspEvents } = await import('@affiliate/core');
      printResult({ ...(await withInstallation(({ services }) => backfillPspEvents(services, input))) }, { json });
    });
  return psp;
}

function days(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > 30) throw new InvalidArgumentError('Must be a whole number from 1 to 30.');
  return value;
}
