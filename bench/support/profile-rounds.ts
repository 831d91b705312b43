/**
 * Writes a CPU profile of each measured round of a server. The parent sends the message `statements` at the beginning and at the end of a
 * round.
 */
import { writeFileSync, mkdirSync } from 'node:fs';
import { Session } from 'node:inspector';
import { join } from 'node:path';

const directory = process.env['PROFILE_DIRECTORY']!;
mkdirSync(directory, { recursive: true });
const session = new Session();
session.connect();
session.post('Profiler.enable');
let rounds = 0;
let isProfiling = false;
process.on('message', (message) => {
  if (message !== 'statements') return;
  isProfiling = !isProfiling;
  if (isProfiling) {
    session.post('Profiler.start');
    return;
  }
  rounds += 1;
  session.post('Profiler.stop', (error, outcome) => {
    if (!error) writeFileSync(join(directory, `${rounds}.cpuprofile`), JSON.stringify(outcome.profile));
  });
});
