import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { contractText } from './contract-text.ts';

/** Writes the contract to the file named on the command line, for linters and client generators. */
const [file] = process.argv.slice(2);
if (!file) throw new Error('Usage: write.ts <file>');
mkdirSync(dirname(file), { recursive: true });
writeFileSync(file, contractText('http://127.0.0.1:3000').yaml);
