/** A process that uses the embedded PostgreSQL of the given directory. Prints its result, and leaves when standard input ends. */
import { finished } from 'node:stream/promises';
import { openEmbeddedPostgres } from '@affiliate/embedded-postgres';

const [dataDir = '', sharedDirectory] = process.argv.slice(2);
const { url, started, stop } = await openEmbeddedPostgres({ dataDir, sharedDirectory });
process.stdout.write(`${JSON.stringify({ url, started })}\n`);
await finished(process.stdin.resume(), { writable: false });
await stop();
