import { z } from 'zod';
import { PROGRAM_REASONS } from '../reasons.ts';

/** Parameters that every visit may have. They cannot be renamed. */
const RESERVED = new Set(['via', 'referral']);

const parameter = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_-]{0,31}$/, PROGRAM_REASONS.link_parameter_form)
  .refine((name) => !RESERVED.has(name), PROGRAM_REASONS.link_parameter_reserved);

/** Schema of the names of the URL parameters that carry the token of a link in addition to `via`. */
export const linkParameters = () =>
  z
    .array(parameter)
    .max(8)
    .meta({ example: ['ref', 'fpr'] });
