/**
 * The Python package as strangers get it: built as sdist and wheel, each installed into an empty virtual environment, and run against the service.
 * PACKAGES=on (`pnpm test:packages`). Skipped with a message on machines that cannot build it.
 */
import { cp, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestAccount, type TestService, startService } from '../support/service.ts';
import { kilobytes, report, run, secondsOf } from './programs.ts';

const SOURCE = resolve(import.meta.dirname, '../../packages/sdk-python');

/** The same acts as those of the npm packages, and a check that only the package itself was installed. */
const PROGRAM = `
import importlib.metadata, os
from affiliate_sdk import AffiliateProgram, ApiError

program = AffiliateProgram(os.environ["SERVICE_URL"], api_key=os.environ["API_KEY"], account_id=os.environ["ACCOUNT_ID"])
campaign = program.campaigns.create(name="Friends", url="https://shop.example.com", reward_type="percent", commission_percent=20)
test = AffiliateProgram(
    os.environ["SERVICE_URL"], api_key=os.environ["API_KEY"], account_id=os.environ["ACCOUNT_ID"], livemode=False
)
found = sum(1 for each in program.campaigns.list() if each["id"] == campaign["id"])
in_test_mode = sum(1 for _ in test.campaigns.list())
try:
    program.campaigns.get("camp_none")
except ApiError as error:
    code = error.code
names = {each.metadata["Name"] for each in importlib.metadata.distributions()} - {"pip", "setuptools"}
print(found, in_test_mode, code, *names)
`;

describe.skipIf(process.env['PACKAGES'] !== 'on')('the Python package', () => {
  let directory: string;
  let service: TestService;
  let account: TestAccount;
  /** Why the machine cannot build the package, or null. */
  let obstacle: string | null = null;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'affiliate-python-'));
    obstacle = await build(directory);
    service = await startService();
    account = await service.createAccount();
  }, 300_000);
  afterAll(async () => {
    await service?.stop();
    if (directory !== undefined) await rm(directory, { recursive: true });
  });

  it.for(['.whl', '.tar.gz'])(
    'installs into an empty environment and runs: %s',
    { timeout: 120_000 },
    async (ending, { skip }) => {
      if (obstacle !== null) skip(`The Python package is not tested: ${obstacle}`);
      const file = (await readdir(join(directory, 'dist'))).find((name) => name.endsWith(ending))!;
      const environment = join(directory, `environment${ending}`);
      await run(['python3', '-m', 'venv', environment], { cwd: directory });
      const python = join(environment, 'bin/python');
      const installed = await secondsOf(() =>
        run([python, '-m', 'pip', 'install', '--quiet', '--no-deps', join(directory, 'dist', file)], { cwd: directory }),
      );
      report(`${file}: ${kilobytes((await stat(join(directory, 'dist', file))).size)}, installed in ${installed} s`);
      const env = { SERVICE_URL: service.url, API_KEY: account.apiKey, ACCOUNT_ID: account.id };
      const output = await run([python, '-c', PROGRAM], { cwd: directory, env });
      expect(output).toBe('1 0 NOT_FOUND affiliate-sdk\n');
    },
  );
});

/** Builds sdist and wheel into `dist`. Returns the reason if the machine cannot do so. */
async function build(directory: string): Promise<string | null> {
  const python = join(directory, 'builder/bin/python');
  // A copy, because setuptools writes beside the sources.
  await cp(SOURCE, join(directory, 'source'), { recursive: true });
  const steps: [name: string, command: string[]][] = [
    ['it has no Python 3.11 or later', ['python3', '-c', 'import sys; sys.exit(sys.version_info < (3, 11))']],
    ['its Python has no venv', ['python3', '-m', 'venv', 'builder']],
    ['pip cannot install `build`', [python, '-m', 'pip', 'install', '--quiet', 'build']],
  ];
  for (const [reason, command] of steps) if (!(await succeeds(command, directory))) return `${reason}.`;
  await run([python, '-m', 'build', '--outdir', 'dist', 'source'], { cwd: directory });
  return null;
}

async function succeeds(command: string[], directory: string): Promise<boolean> {
  return run(command, { cwd: directory }).then(
    () => true,
    () => false,
  );
}
