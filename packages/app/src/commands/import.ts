import { readFile } from 'node:fs/promises';
import { Command } from 'commander';
import { OperatorError } from '../operator-error.ts';
import { currency } from './options.ts';
import { profileOption } from './profile.ts';
import { readSecret } from './read-secret.ts';

interface ImportOptions {
  profile: string;
  currency?: string;
  campaignId?: string;
  run?: boolean;
  stop?: boolean;
  undo?: boolean;
  json?: boolean;
}

/** Brings a program from another tool: first a dry run, then, if asked, the records. */
export function importCommand(): Command {
  return new Command('import')
    .description(
      'bring a program from another tool; reads and checks first, and makes nothing without --run. The key of the tool is read from standard input',
    )
    .argument('<from>', 'rewardful, first_promoter, tolt, dub, csv, or the ID of an import (imp_…)')
    .argument('[files...]', 'files of csv with the records in them, e.g. affiliates=partners.csv')
    .addOption(profileOption())
    .option('--currency <code>', 'currency of amounts for which the tool names none', currency)
    .option('--campaign-id <id>', 'campaign of affiliates for whom the tool names none')
    .option('--run', 'make the records')
    .option('--stop', 'stop the import that has this ID')
    .option('--undo', 'remove what the import that has this ID made')
    .option('--json', 'print the import as JSON in one line')
    .action(async (from: string, files: string[], options: ImportOptions) => {
      const [{ Profiles }, { RemoteService }, remote] = await Promise.all([
        import('../remote/profiles.ts'),
        import('../remote/remote-service.ts'),
        import('../remote/run-import.ts'),
      ]);
      const { currency: code, campaignId, run, stop, undo, json } = options;
      const isKnown = from.startsWith('imp_');
      if (!isKnown && (stop || undo)) throw new OperatorError('--stop and --undo need the ID of an import.');
      const service = new RemoteService(new Profiles(process.env).get(options.profile));
      const what = {
        ...(code !== undefined && { currency: code }),
        ...(campaignId !== undefined && { campaign_id: campaignId }),
      };
      const begin = async () => {
        const isOfFiles = from === 'csv';
        const input = isOfFiles
          ? { files: await Promise.all(files.map(fileOf)) }
          : { credentials: await readSecret('Key of the tool') };
        return (await remote.beginImport(service, { source: from, ...input, ...what })).id;
      };
      const id = isKnown ? from : await begin();
      const act = stop ? 'stop' : undo ? 'undo' : run ? 'run' : null;
      if (!isKnown) await remote.settledImport(service, id);
      if (act !== null) await remote.actOnImport(service, id, act, {});
      const its = await remote.settledImport(service, id);
      const lines = json ? [JSON.stringify(its)] : await remote.describeImport(service, its);
      const hint = its.state === 'ready' && !json ? [`Nothing was made. Make the records: affiliate import ${id} --run`] : [];
      process.stdout.write(`${[...lines, ...hint].join('\n')}\n`);
      if (its.state === 'failed') process.exitCode = 1;
    });
}

/** Returns the records of a file and its content, from `<records>=<path>`. */
async function fileOf(argument: string): Promise<{ kind: string; content: string }> {
  const [, kind, path] = /^(\w+)=(.+)$/.exec(argument) ?? [];
  if (kind === undefined || path === undefined)
    throw new OperatorError(`${argument} does not say which records the file has, e.g. affiliates=partners.csv.`);
  try {
    return { kind, content: await readFile(path, 'utf8') };
  } catch (error) {
    throw new OperatorError(`${path} could not be read: ${(error as NodeJS.ErrnoException).code ?? 'error'}`, { cause: error });
  }
}
