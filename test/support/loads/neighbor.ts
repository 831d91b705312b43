import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Agent, request } from 'undici';
import type { LoadName, Target } from './loads.ts';

const PAUSE_MS = 20;

/** Response times of an account's reads, in milliseconds. */
export interface Figures {
  reads: number;
  p50: number;
  p99: number;
}

/** There, every address of 127.0.0.0/8 is the machine's own, so the neighbor has another address than the load. */
const isLinux = process.platform === 'linux';

/** Measures how long an account's reads take, one after the other, for some milliseconds or until something is over. */
export async function measureReads(
  url: string,
  headers: Record<string, string>,
  span: number | (() => boolean),
): Promise<Figures> {
  const agent = new Agent({ connections: 2, pipelining: 1, ...(isLinux && { localAddress: '127.0.0.2' }) });
  const took: number[] = [];
  const end = performance.now() + (typeof span === 'number' ? span : 0);
  const isOver = typeof span === 'number' ? () => performance.now() >= end : span;
  while (!isOver()) {
    const start = performance.now();
    const answer = await request(`${url}/api/v1/affiliates?limit=5`, { headers, dispatcher: agent });
    await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`A read got status ${answer.statusCode}.`);
    took.push(performance.now() - start);
    await sleep(PAUSE_MS);
  }
  await agent.close();
  const sorted = took.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
  return { reads: sorted.length, p50: at(0.5), p99: at(0.99) };
}

/** Runs a load in another process. `stop` ends it and returns its answers by status. */
export async function startLoad(name: LoadName, target: Target): Promise<{ stop(): Promise<Record<string, number>> }> {
  const child: ChildProcess = fork(fileURLToPath(new URL('load-process.ts', import.meta.url)), { execArgv: [] });
  child.send({ name, target });
  await once(child, 'message');
  return {
    stop: async () => {
      const answers = once(child, 'message') as Promise<[Record<string, number>]>;
      child.send('stop');
      const [statuses] = await answers;
      child.kill();
      return statuses;
    },
  };
}

/**
 * Measures for how long this process's event loop is occupied at once, in processor time, which does not depend on other programs. `stop` returns the 95th
 * percentile of the iterations that did something, in milliseconds.
 */
export function measureIterations(): { stop(): number } {
  const took: number[] = [];
  let isOver = false;
  let before = process.threadCpuUsage();
  const look = () => {
    const { user, system } = process.threadCpuUsage(before);
    before = process.threadCpuUsage();
    const ms = (user + system) / 1_000;
    if (ms > 1) took.push(ms);
    if (!isOver) setImmediate(look);
  };
  look();
  return {
    stop: () => {
      isOver = true;
      return took.toSorted((a, b) => a - b)[Math.floor(took.length * 0.95)] ?? 0;
    },
  };
}
