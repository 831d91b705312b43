import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createConnector } from '../mcp/assistant.ts';
import { builtProgram } from '../support/built-program.ts';
import { SECRET_KEY, type TestService, startService } from '../support/service.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const readJson = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));

interface Entry {
  name: string;
  version: string;
  packages: {
    identifier: string;
    version: string;
    packageArguments: { value: string }[];
    environmentVariables: { name: string; isSecret: boolean; isRequired: boolean }[];
  }[];
  remotes: { url: string; variables: Record<string, object> }[];
}

const entry = readJson(join(ROOT, 'server.json')) as Entry;
const [listed] = entry.packages as [Entry['packages'][number]];

describe('the entry for the registry of MCP servers', () => {
  it('is valid by the schema of 2025-12-11', () => {
    // A copy of https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json. `example` is an annotation of OpenAPI.
    const ajv = new Ajv({ keywords: ['example'] });
    addFormats.default(ajv);
    const validate = ajv.compile(readJson(join(import.meta.dirname, 'server.schema.json')) as object);
    expect([validate(entry), validate.errors]).toEqual([true, null]);
    expect(validate({ ...entry, name: 'affiliate' })).toBe(false);
  });

  it('names a remote whose address has the variables that it describes', () => {
    const [{ url, variables }] = entry.remotes as [Entry['remotes'][number]];
    expect([...url.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)).toEqual(Object.keys(variables));
    expect(url.replace('{host}', 'affiliates.example.com')).toBe('https://affiliates.example.com/mcp');
  });
});

describe('the package that the entry names', () => {
  let service: TestService;
  let directory: string;
  /** Folder of the unpacked package. */
  let unpacked: string;

  beforeAll(async () => {
    service = await startService();
    directory = mkdtempSync(join(tmpdir(), 'affiliate-package-'));
    const npm = ['pack', '--pack-destination', directory, '--json', '--ignore-scripts'];
    const { stdout } = await promisify(execFile)('npm', npm, { cwd: await builtProgram(), maxBuffer: 10_000_000 });
    const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
    execFileSync('tar', ['-xzf', join(directory, filename), '-C', directory]);
    unpacked = join(directory, 'package');
  });
  afterAll(async () => {
    await service.stop();
    rmSync(directory, { recursive: true });
  });

  /** Settings by the names in the entry, and a PATH with this Node for the first line of the command. */
  const settings = (token: string) => {
    const known: Record<string, string> = { DATABASE_URL: service.databaseUrl, SECRET_KEY, AFFILIATE_CONNECTOR_TOKEN: token };
    const named = listed.environmentVariables.map(({ name }) => [name, known[name]!] as const);
    return { PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter), ...Object.fromEntries(named) };
  };
  const command = () => {
    const { bin } = readJson(join(unpacked, 'package.json')) as { bin: Record<string, string> };
    const [file, ...others] = Object.values(bin) as [string];
    // npx runs the only command of a package.
    expect(others).toEqual([]);
    return join(unpacked, file);
  };
  const args = listed.packageArguments.map(({ value }) => value);

  it('has the name, the version and the proof of ownership that the registry compares', () => {
    expect(readJson(join(unpacked, 'package.json'))).toMatchObject({
      name: listed.identifier,
      version: listed.version,
      mcpName: entry.name,
    });
    expect(entry.version).toBe(listed.version);
  });

  it('contains the license, and the files that the service reads at run time', () => {
    for (const file of ['LICENSE', 'node_modules/swagger-ui-dist/swagger-ui.css', 'chunks/payouts-view.html'])
      expect([file, existsSync(join(unpacked, file))]).toEqual([file, true]);
    expect(existsSync(join(unpacked, 'compile-cache'))).toBe(false);
  });

  it('serves an assistant over standard input and output, with the arguments and settings of the entry', async () => {
    const account = await service.createAccount();
    const { token } = await createConnector(account);
    const client = new Client({ name: 'test assistant', version: '1' });
    // npm makes the file executable when it installs the package. Its first line names the interpreter.
    execFileSync('chmod', ['+x', command()]);
    await client.connect(new StdioClientTransport({ command: command(), args, env: settings(token), stderr: 'ignore' }));
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('payouts');
    const { contents } = await client.readResource({ uri: 'ui://affiliate/payouts' });
    expect(contents).toMatchObject([{ text: expect.stringContaining('<!doctype html>') }]);
    await client.close();
  });

  it.each(listed.environmentVariables.filter(({ isRequired }) => isRequired).map(({ name }) => name))(
    'does not start without %s',
    async (name) => {
      const { [name as 'PATH']: _, ...rest } = settings('mcp_token');
      const failed = await promisify(execFile)(process.execPath, [command(), ...args], { env: rest }).catch(
        (error: { code: number; stderr: string }) => error,
      );
      expect(failed).toMatchObject({ code: 1, stderr: expect.stringMatching(/\S/) });
    },
  );
});
