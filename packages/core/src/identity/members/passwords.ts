/** Password hashing for passwords that the service stores and the library verifies: scrypt with a random salt. */
export { hashPassword, verifyPassword } from 'better-auth/crypto';
