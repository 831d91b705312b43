/** How passwords are kept, for those we store and those the library checks: scrypt, with a salt of their own. */
export { hashPassword, verifyPassword } from 'better-auth/crypto';
