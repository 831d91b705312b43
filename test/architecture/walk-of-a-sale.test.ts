/** The files of the domain that a reported sale runs through are those that docs/walks.md lists. */
import { readFileSync } from 'node:fs';
import { type Profiler, Session } from 'node:inspector/promises';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { refer, sell } from '../support/program.ts';
import { useAccount, useProgram, useService } from '../support/suite.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** Folders through which every request runs (the walk of a request), and the declarations that all rooms share. */
const OF_EVERY_REQUEST = /^(platform|identity)\/|^(procedure-list|lock-order|procedures\/client-input)\.ts$/;

const service = useService();
const account = useAccount(service, 'file');
const program = useProgram(account, {}, 'file');

/** Returns the files of core in which `work` runs a function. */
async function filesRunBy(work: () => Promise<unknown>): Promise<string[]> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await work();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  session.disconnect();
  return result.flatMap(({ url, functions }) => {
    const file = /packages\/core\/src\/(.*)$/.exec(url)?.[1];
    return file !== undefined && functions.some(hasRun) ? [file] : [];
  });
}

/** True for a function that has run, other than that of the whole module. */
function hasRun({ functionName, ranges }: Profiler.FunctionCoverage): boolean {
  return ranges[0]!.count > 0 && (functionName !== '' || ranges[0]!.startOffset > 0);
}

it('a sale that names a referral runs through the files of its walk', async () => {
  // The first sales load what is loaded once.
  for (let i = 0; i < 2; i += 1) await sell(account, { referral_id: (await refer(account, program)).id });
  const sold = async () => {
    const { id: referral_id } = await refer(account, program);
    return filesRunBy(async () => expect((await sell(account, { referral_id })).commission).not.toBeNull());
  };
  // What another suite has left running in this process does not run beside each of several sales.
  const runs = [await sold(), await sold(), await sold()];
  const run = runs[0]!.filter((file) => runs.every((files) => files.includes(file)));
  const section = readFileSync(`${ROOT}/docs/walks.md`, 'utf8')
    .split(/^## /m)
    .find((text) => text.startsWith('Files of a reported sale\n'))!;
  const listed = [...section.matchAll(/^\| `([\w/-]+)` \| (.*) \|/gm)].flatMap(([, folder, files]) =>
    [...files!.matchAll(/`([\w.-]+)`/g)].map(([, file]) => `${folder}/${file}`),
  );
  expect(run.filter((file) => !OF_EVERY_REQUEST.test(file)).toSorted()).toEqual(listed.toSorted());
});
