import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type FormatConfig, format } from 'oxfmt';
import { readContract } from './contract.ts';
import { pythonResources, pythonTypes } from './sdk-python.ts';
import { sdkResources, sdkTypes } from './sdk-typescript.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/**
 * Returns the parts of the SDKs that are made from the contract, by path. They are committed, so that everyone sees what a change of the contract
 * means for integrators, and compared with the contract by test/clients/generated.test.ts.
 */
export async function generatedFiles(): Promise<Map<string, string>> {
  const contract = readContract();
  const files = { 'types.ts': sdkTypes(contract), 'resources.ts': sdkResources(contract) };
  const config = JSON.parse(readFileSync(join(ROOT, '.oxfmtrc.json'), 'utf8')) as FormatConfig;
  const formatted = await Promise.all(
    Object.entries(files).map(async ([name, text]): Promise<[string, string]> => {
      const { code, errors } = await format(name, text, config);
      if (errors.length > 0) throw new Error(`${name} cannot be formatted: ${JSON.stringify(errors)}`);
      return [join(ROOT, 'packages/sdk/src/generated', name), code];
    }),
  );
  const python = { 'types.py': pythonTypes(contract), 'resources.py': pythonResources(contract) };
  const named = Object.entries(python).map(([name, text]): [string, string] => [
    join(ROOT, 'packages/sdk-python/affiliate_sdk', name),
    text,
  ]);
  return new Map([...formatted, ...named]);
}

if (import.meta.main) {
  for (const [path, text] of await generatedFiles()) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    process.stdout.write(`wrote ${relative(ROOT, path)}\n`);
  }
}
