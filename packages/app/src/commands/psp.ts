import { Command, InvalidArgumentError } from 'commander';
import { print, withInstallation } from './session.ts';

interface BackfillOptions {
  accountId: string;
  days: number;
  json?: boolean;
}

export function pspCommand(): Command {
  const psp = new Command('psp').description('the payment provider');
  psp
    .command('backfill')
    .description('fetch the events that the payment provider could not deliver, and deal with them; may be repeated')
    .requiredOption('--account-id <id>', 'account whose provider to ask')
    .option('--days <number>', 'how far to go back; the provider keeps events for 30 days', days, 3)
    .option('--json', 'print one line of JSON: processed, duplicate, ignored, failed')
    .action(async ({ json, ...input }: BackfillOptions) => {
      const { backfillPspEvents } = await import('@affiliate/core');
      print({ ...(await withInstallation(({ services }) => backfillPspEvents(services, input))) }, { json });
    });
  return psp;
}

function days(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > 30) throw new InvalidArgumentError('must be a whole number from 1 to 30');
  return value;
}
