import { session } from './session.ts';

/** All German texts, by area. */
export default { session };
