import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const SRC = resolve(import.meta.dirname, '../../packages/core/src');

/** Files that may use HTTP statuses, tRPC's errors, or both, with the reason. */
const KNOWS_HTTP: Record<string, string> = {
  'procedures/': 'declares the statuses of every operation',
  'platform/trpc/': 'turns results and errors into responses',
  'platform/errors/error-table.ts': 'gives every error its status',
  'platform/idempotency/': 'stores responses, and replays them',
  'platform/call/context.ts': 'declares the reply that procedures fill in',
};

/** Code that calls another system over HTTP and reads that system's statuses. */
const READS_FOREIGN_STATUSES: Record<string, string> = {
  'identity/oauth/': 'the authorization server of the authentication library',
  'identity/auth-library/': 'the authentication library',
  'identity/sessions/answer-auth.ts': 'the authentication library',
  'sources/port/json-api.ts': 'payment providers',
  'sources/stripe/': 'the payment provider',
  'payouts/port/rail-request.ts': 'services that pay',
  'payouts/methods/paypal_api/paypal-client.ts': 'a service that pays',
  'payouts/methods/wise_api/': 'a service that pays',
  'payouts/methods/stripe/': 'a service that pays',
  'imports/port/read-answers.ts': 'tools from which programs move',
};

const TRACES = [
  { trace: 'a status of the reply', pattern: /\breply\s*\.\s*status\b|\breply\b[^;\n]*\bstatus\b/ },
  { trace: 'a status number', pattern: /\bstatus\b[^;,\n]*?(?<![\w(.])[1-5]\d\d\b/ },
  { trace: 'an error of tRPC', pattern: /\bTRPCError\b/ },
];

/** Finds uses of HTTP in `text`, the source of `file`. Ignores comments. */
function tracesOfHttp(file: string, text: string): string[] {
  if (isListed(KNOWS_HTTP, file)) return [];
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '');
  return TRACES.filter(({ trace, pattern }) => {
    if (trace === 'a status number' && isListed(READS_FOREIGN_STATUSES, file)) return false;
    return pattern.test(code);
  }).map(({ trace }) => `${file} knows ${trace}`);
}

function isListed(list: Record<string, string>, file: string): boolean {
  return Object.keys(list).some((path) => file === path || (path.endsWith('/') && file.startsWith(path)));
}

const sources = globSync('**/*.ts', { cwd: SRC, exclude: ['**/*.test.ts'] }).map((file) => ({
  file,
  text: readFileSync(`${SRC}/${file}`, 'utf8'),
}));

describe('the domain', () => {
  it('uses neither HTTP statuses nor tRPC errors', () => {
    expect(sources.length).toBeGreaterThan(200);
    expect(sources.flatMap(({ file, text }) => tracesOfHttp(file, text))).toEqual([]);
  });

  it.each([
    ['a status of the reply', 'ctx.reply.status = declared;'],
    ['a status of the reply', 'Object.assign(ctx.reply, { status });'],
    ['a status number', 'return { status: created ? 201 : 200, body };'],
    ['a status number', 'return workOnRun(ctx, { input, status: 202 });'],
    ['an error of tRPC', "throw new TRPCError({ code: 'NOT_FOUND' });"],
  ])('is reported with %s planted: %s', (trace, line) => {
    expect(tracesOfHttp('program/links/link.service.ts', line)).toContain(`program/links/link.service.ts knows ${trace}`);
    expect(tracesOfHttp('procedures/link.router.ts', line)).toEqual([]);
  });

  it.each(Object.keys({ ...KNOWS_HTTP, ...READS_FOREIGN_STATUSES }))('has an exception for %s, and that file exists', (path) => {
    expect(sources.some(({ file }) => isListed({ [path]: '' }, file))).toBe(true);
  });
});
