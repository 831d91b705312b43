/** A separate program that uses the embedded PostgreSQL in the given directory. Prints the URL, and stops when standard input ends. */
import { finished } from 'node:stream/promises';
import { openEmbeddedPostgres } from '@affiliate/embedded-postgres';

const [dataDir = '', sharedDirectory] = process.argv.slice(2);
const { url, started, stop } = await openEmbeddedPostgres({ dataDir, sharedDirectory });
process.stdout.write(`${JSON.stringify({ url, started })}\n`);
await finished(process.stdin.resume(), { writable: false });
await stop();
