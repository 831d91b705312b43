/**
 * Runs the checks types, lint and contract at the same time as the tests, which leave the processor idle while they wait. The output of a check
 * is printed when the check ends. The output of the tests is held back until all checks have ended, and is then printed as it arrives, so that
 * outputs are never mixed.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { setPriority, tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';

/** Priority of the checks: lower than that of the tests, some of which have deadlines. */
const LOW_PRIORITY = 10;

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
const env = { ...process.env, PATH: [resolve('node_modules/.bin'), process.env.PATH].join(delimiter) };
/**
 * Settings for TypeScript and the linter, which are written in Go. On one processor, and with rare garbage collection, they take half the CPU
 * time. Without any garbage collection they would take more, because the kernel must clear each new page of memory.
 */
const frugal = { GOMAXPROCS: '1', GOGC: '300', GOMEMLIMIT: '3GiB' };
const directory = mkdtempSync(join(tmpdir(), 'affiliate-ci-'));
const results = join(directory, 'results.json');
const running = new Set();
/** Seed of the tests, from the files of the commit: the same files are always tested with the same values, and other files with others. */
const TEST_SEED = process.env.TEST_SEED ?? String(Number.parseInt(filesOfCommit().slice(0, 7), 16));
/** Lines with which tests say that they did not run, because a program is not installed. */
const skipped = new Set();
/** Output of the tests that is held back until the checks have ended. */
const held = [];
let isHeld = true;

/** Returns the hash of the files of the commit, or of none if this is no clone. */
function filesOfCommit() {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD^{tree}'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return '0';
  }
}

/** Runs a script of package.json as pnpm would, in a process group of its own. npx and pnpm would take 3 CPU seconds to start. */
function runScript(name, args, settings, onOutput) {
  const child = spawn('sh', ['-c', `${scripts[name]} "$@"`, name, ...args], {
    env: { ...env, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  running.add(child);
  child.stdout.on('data', onOutput);
  child.stderr.on('data', onOutput);
  const ended = new Promise((resolve) => {
    child.once('error', (error) => {
      onOutput(`${error}\n`);
      resolve(1);
    });
    child.once('close', (code) => resolve(code ?? 1));
  }).finally(() => running.delete(child));
  return { child, ended };
}

/** Runs a check and prints its output. Resolves to true if the check passed. */
async function check(name) {
  const output = [];
  const start = Date.now();
  const { child, ended } = runScript(name, [], frugal, (chunk) => output.push(chunk));
  if (child.pid) setPriority(child.pid, LOW_PRIORITY);
  const code = await ended;
  print(`== ${name}: ${code === 0 ? 'passed' : 'FAILED'} after ${Math.round((Date.now() - start) / 1000)} s\n`, ...output);
  return code === 0;
}

function print(...chunks) {
  for (const chunk of chunks) process.stdout.write(chunk);
}

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    print('== test, until it was interrupted\n', ...held.splice(0));
    for (const { pid } of running) if (pid) process.kill(-pid, signal);
    process.exitCode = 1;
  });
}

const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}`];
const tests = runScript('test', reporters, { TEST_SEED }, (chunk) => {
  for (const [line] of String(chunk).matchAll(/^SKIPPED: .*$/gm)) skipped.add(line);
  if (isHeld) held.push(chunk);
  else print(chunk);
});
const names = ['types', 'lint', 'contract'];
const passed = await Promise.all(names.map(check));
isHeld = false;
print('== test\n', ...held.splice(0));
const code = await tests.ended;

let counts = { numPassedTests: 0, numFailedTests: 0 };
try {
  counts = JSON.parse(readFileSync(results, 'utf8'));
} catch {
  print('vitest wrote no results\n');
}
rmSync(directory, { recursive: true });
const failedChecks = names.filter((_, index) => !passed[index]);
// The run also fails if a test file cannot be loaded or an error occurs outside any test. Such a failure counts as one failed test.
const failedTests = Math.max(counts.numFailedTests, code === 0 ? 0 : 1);
if (failedChecks.length > 0) print(`failed checks: ${failedChecks.join(', ')}\n`);
for (const line of skipped) print(`${line}\n`);
const failed = failedTests + failedChecks.length;
print(`${counts.numPassedTests} passed, ${failed} failed\n`);
if (failed > 0) process.exitCode = 1;
