import { readFileSync } from 'node:fs';

/** Served as it is: no build step, nothing of this process in it. */
export const TRACKING_SCRIPT = readFileSync(new URL('track.js', import.meta.url), 'utf8');
