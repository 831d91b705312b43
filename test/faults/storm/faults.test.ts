import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { expect, it } from 'vitest';
import { kill } from './faults.ts';
import type { Installation } from './installation.ts';

it('the wait for a killed process ends when its replacement works, not when any other process restarts', async () => {
  const [killed, other] = [sleeper(), sleeper()];
  const restarts: Installation['restarts'] = new EventEmitter();
  let isWorking = false;
  try {
    const done = kill({ restarts, allUp: () => Promise.resolve() }, () => [killed]).then(() => isWorking);
    await once(killed, 'exit');
    restarts.emit('restart', other);
    // Waits a moment. If `kill` wrongly counted this restart, `done` would settle now.
    await new Promise(setImmediate);
    isWorking = true;
    restarts.emit('restart', killed);
    expect(await done).toBe(true);
    expect([killed.signalCode, other.signalCode]).toEqual(['SIGKILL', null]);
  } finally {
    other.kill('SIGKILL');
  }
});

function sleeper(): ChildProcess {
  return spawn('sleep', ['60'], { stdio: 'ignore' });
}
