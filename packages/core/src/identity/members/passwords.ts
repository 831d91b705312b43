/** Password hashing with scrypt and a random salt. These are the library's own functions, because the library verifies the stored passwords. */
export { hashPassword, verifyPassword } from 'better-auth/crypto';
