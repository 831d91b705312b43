import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { contractText } from './contract-text.ts';
import { CONTRACT_NAMES } from './contracts.ts';

/**
 * Writes contracts to the files named on the command line, for linters and client generators. The name of a file says which contract it gets:
 * `v1.yaml` or `settings-v1.yaml`.
 */
const files = process.argv.slice(2);
const names = CONTRACT_NAMES.map((name) => `${name}.yaml`);
if (files.length === 0) throw new Error(`Usage: write.ts <file>…, where a file is called ${names.join(' or ')}`);
for (const file of files) {
  const name = CONTRACT_NAMES.find((each) => `${each}.yaml` === basename(file));
  if (!name) throw new Error(`There is no contract for ${file}. A file must be called ${names.join(' or ')}.`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, contractText(name, 'http://127.0.0.1:3000').yaml);
}
