import { connection } from './connection.ts';
import { signIn } from './sign-in.ts';

/** The German texts of the sign-in pages. They are loaded without the texts of all other pages. */
export default { connection, 'sign-in': signIn };
