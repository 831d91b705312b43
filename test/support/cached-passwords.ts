import { hashPassword as hash, verifyPassword as verify } from '../../packages/core/src/identity/members/passwords.ts';

const hashes = new Map<string, Promise<string>>();
/** Passwords that this process has hashed, by their hashes. */
const passwords = new Map<string, string>();

/** Hashes a password once per process, and returns the same hash for the same password. */
export function hashPassword(password: string): Promise<string> {
  const known = hashes.get(password);
  if (known) return known;
  const made = hash(password);
  hashes.set(password, made);
  return made.then((each) => {
    passwords.set(each, password);
    return each;
  });
}

/** Compares the password with the text that was hashed. Uses the real function only for hashes from another process. */
export async function verifyPassword(pair: { hash: string; password: string }): Promise<boolean> {
  const hashed = passwords.get(pair.hash);
  return hashed === undefined ? verify(pair) : hashed === pair.password;
}
