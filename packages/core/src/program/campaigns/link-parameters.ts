import { z } from 'zod';

/** Parameters that every visit may have. They cannot be renamed. */
const RESERVED = new Set(['via', 'referral']);

const parameter = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_-]{0,31}$/, { error: 'Use letters, digits, hyphens, and underscores, e.g. ref.' })
  .refine((name) => !RESERVED.has(name), { error: '`via` and `referral` are always read.' });

/** Schema of the names of the URL parameters that carry the token of a link in addition to `via`. */
export const linkParameters = () =>
  z
    .array(parameter)
    .max(8)
    .meta({ example: ['ref', 'fpr'] });
