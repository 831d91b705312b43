import { open, stat } from 'node:fs/promises';
import { DATE_ORDERS, DECIMAL_MARKS, type LocalFile, NotText, piecesOf, TOOL_KINDS } from '@affiliate/core/vocabulary';
import { Command, Option } from 'commander';
import { OperatorError } from '../errors.ts';
import type { RemoteImport } from '../remote/run-import.ts';
import { currency } from './options.ts';
import { profileOption, serviceOf } from './profile.ts';
import { readSecret } from './read-secret.ts';

interface ImportOptions {
  profile: string;
  currency?: string;
  campaignId?: string;
  dateOrder?: string;
  decimalMark?: string;
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
    .argument('<from>', `${TOOL_KINDS.join(', ')}, csv, or the ID of an import (imp_…)`)
    .argument(
      '[files...]',
      'files of csv with the records in them, e.g. affiliates=partners.csv. With an ID, those that have not arrived completely',
    )
    .addOption(profileOption())
    .option('--currency <code>', 'currency of amounts for which the tool names none', currency)
    .option('--campaign-id <id>', 'campaign of affiliates for whom the tool names none')
    .addOption(
      new Option('--date-order <order>', 'what comes first in days of the files such as 01/02/2026').choices(DATE_ORDERS),
    )
    .addOption(new Option('--decimal-mark <mark>', 'mark before the decimals of amounts in the files').choices(DECIMAL_MARKS))
    .option('--run', 'make the records')
    .option('--stop', 'stop the import that has this ID')
    .option('--undo', 'remove what the import that has this ID made')
    .option('--json', 'print the import as JSON in one line')
    .action(async (from: string, files: string[], options: ImportOptions) => {
      const remote = await import('../remote/run-import.ts');
      const { currency: code, campaignId, dateOrder, decimalMark, run, stop, undo, json } = options;
      const named = await Promise.all(files.map(fileOf));
      const isKnown = from.startsWith('imp_');
      if (!isKnown && (stop || undo)) throw new OperatorError('--stop and --undo need the ID of an import.');
      const service = await serviceOf(options.profile);
      const what = {
        ...(code !== undefined && { currency: code }),
        ...(campaignId !== undefined && { campaign_id: campaignId }),
      };
      const begin = async () => {
        const form = {
          ...(dateOrder !== undefined && { date_order: dateOrder }),
          ...(decimalMark !== undefined && { decimal_mark: decimalMark }),
        };
        const input =
          from === 'csv'
            ? { draft: true, files: named.map(({ kind }) => ({ kind, ...form })) }
            : { credentials: await readSecret('Key of the tool') };
        return (await remote.beginImport(service, { source: from, ...input, ...what })).id;
      };
      const id = isKnown ? from : await begin();
      if (named.length > 0) {
        try {
          await sendFiles(named, await remote.getImport(service, id), (part) => remote.addPart(service, id, part));
        } catch (error) {
          if (!(error instanceof OperatorError)) throw error;
          throw new OperatorError(`${error.message} Go on with: affiliate import ${id} ${files.join(' ')}`, { cause: error });
        }
        await remote.actOnImport(service, id, 'run', {});
      }
      const act = stop ? 'stop' : undo ? 'undo' : run ? 'run' : null;
      if (!isKnown || named.length > 0) await remote.settledImport(service, id);
      if (act !== null) await remote.actOnImport(service, id, act, {});
      const its = await remote.settledImport(service, id);
      const lines = json ? [JSON.stringify(its)] : await remote.describeImport(service, its);
      const hint = its.state === 'ready' && !json ? [`Nothing was made. Make the records: affiliate import ${id} --run`] : [];
      process.stdout.write(`${[...lines, ...hint].join('\n')}\n`);
      if (its.state === 'failed') process.exitCode = 1;
    });
}

/** A file of the command line, with the records in it. */
interface NamedFile extends LocalFile {
  kind: string;
  path: string;
}

/** Returns a file, from `<records>=<path>`. Throws OperatorError if it is not text that can be read. */
async function fileOf(argument: string): Promise<NamedFile> {
  const [, kind, path] = /^(\w+)=(.+)$/.exec(argument) ?? [];
  if (kind === undefined || path === undefined)
    throw new OperatorError(`${argument} does not say which records the file has, e.g. affiliates=partners.csv.`);
  const read = async (from: number, to: number) => {
    await using handle = await open(path);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(to - from), 0, to - from, from);
    return buffer.subarray(0, bytesRead);
  };
  try {
    const { size } = await stat(path);
    const file = { kind, path, size, read };
    await piecesOf(file).next();
    return file;
  } catch (error) {
    if (error instanceof NotText) throw new OperatorError(`${path} is not text. Save the table as CSV.`, { cause: error });
    throw new OperatorError(`${path} could not be read: ${(error as NodeJS.ErrnoException).code ?? 'error'}`, { cause: error });
  }
}

/** Sends what has not arrived yet of the files of an import. */
async function sendFiles(
  files: readonly NamedFile[],
  its: RemoteImport,
  send: (part: object) => Promise<unknown>,
): Promise<void> {
  for (const [index, file] of files.entries()) {
    const arrived = its.files[index];
    if (arrived?.kind !== file.kind)
      throw new OperatorError(`File ${index + 1} of the import has other records than ${file.path}.`);
    if (arrived.is_complete) continue;
    for await (const piece of piecesOf(file, arrived.bytes)) await send({ file: index, ...piece });
  }
}
