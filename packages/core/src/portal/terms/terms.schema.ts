import { z } from 'zod';

export const AcceptTerms = z.strictObject({ version: z.int().describe('The version that the affiliate has read.') });
