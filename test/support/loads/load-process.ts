/** Runs a load in a process of its own, so that it does not delay the measurement. Receives the load's name and target, and ends on any further message. */
import { once } from 'node:events';
import { LOADS, type LoadName, type Target } from './loads.ts';

process.once('disconnect', () => process.exit());
const [{ name, target }] = (await once(process, 'message')) as [{ name: LoadName; target: Target }];
const over = new AbortController();
process.once('message', () => over.abort());
process.send!('started');
process.send!(await LOADS[name](target, over.signal));
process.disconnect();
