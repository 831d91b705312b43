/** Hashing of passwords, by scrypt with a random salt. Taken from the library, which verifies the passwords that the service stores. */
export { hashPassword, verifyPassword } from 'better-auth/crypto';
