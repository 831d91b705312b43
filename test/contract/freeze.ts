import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { contractDocument } from '@affiliate/rest/contract';
import { breaches } from './breaches.ts';
import { type Part, specifiedPart } from './frozen-part.ts';

/** Writes the specified part of the contract to `frozen.json`. Refuses changes that could break a client. */
const file = new URL('frozen.json', import.meta.url);
const current = specifiedPart(contractDocument({ serverUrl: 'http://127.0.0.1:3000' }));
const found = existsSync(file) ? breaches(JSON.parse(readFileSync(file, 'utf8')) as Part, current) : [];
if (found.length > 0) throw new Error(`The contract has changed by more than additions:\n- ${found.join('\n- ')}`);
writeFileSync(file, `${JSON.stringify(current, null, 2)}\n`);
