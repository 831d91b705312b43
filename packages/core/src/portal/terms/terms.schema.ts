import { z } from 'zod';

export const AcceptTerms = z.strictObject({ version: z.int().describe('Version of the terms that the affiliate accepts.') });
