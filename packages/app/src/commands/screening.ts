import { readFile } from 'node:fs/promises';
import { Command } from 'commander';
import { OperatorError } from '../errors.ts';
import { printResult, withInstallation } from './session.ts';

interface Output {
  json?: boolean;
}

/** The lists with which affiliates are compared before they are paid. */
export function screeningCommand(): Command {
  const screening = new Command('screening').description('lists of people and companies that nobody may pay');
  screening
    .command('load')
    .description(
      'load the files of authorities, each in place of its former version: OFAC (sdn.xml), UN, UK and EU, as XML. Load them again every few days; a list older than 30 days clears nobody',
    )
    .argument('<files...>', 'files as the authorities publish them')
    .option('--json', 'print a line of JSON for each file: list, list_date, names_count, loaded_at, fresh')
    .action(async (files: string[], { json }: Output) => {
      const { loadScreeningList, UnreadableList } = await import('@affiliate/core');
      await withInstallation(async ({ services }) => {
        for (const file of files) {
          try {
            printResult({ ...(await loadScreeningList(services, await contentOf(file))) }, { json });
          } catch (error) {
            throw error instanceof UnreadableList ? new OperatorError(`${file}: ${error.message}`, { cause: error }) : error;
          }
        }
      });
    });
  screening
    .command('list')
    .description('show the loaded lists')
    .option('--json', 'print one line of JSON for each list')
    .action(async ({ json }: Output) => {
      const { listScreeningLists } = await import('@affiliate/core');
      const lists = await withInstallation(({ services }) => listScreeningLists(services));
      if (lists.length === 0) process.stderr.write('No list is loaded. Load one: affiliate screening load sdn.xml\n');
      for (const list of lists) printResult({ ...list }, { json });
    });
  screening
    .command('remove')
    .description('remove a list')
    .argument('<list>', 'its name, e.g. ofac')
    .action(async (list: string) => {
      const { removeScreeningList } = await import('@affiliate/core');
      const isRemoved = await withInstallation(({ services }) => removeScreeningList(services, list));
      if (!isRemoved) throw new OperatorError(`No list ${list} is loaded. See: affiliate screening list`);
    });
  return screening;
}

async function contentOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new OperatorError(`${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}
