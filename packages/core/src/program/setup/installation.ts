import { z } from 'zod';
import type { PersonCtx } from '../../platform/call/context.ts';

/** The releases of this service. */
export interface Releases {
  /** The version that runs. */
  running: string;
  /** The newest version that the operator's file names, if it is newer than this one. */
  newer(): Promise<string | null>;
}

declare module '../../platform/call/context.ts' {
  interface Services {
    releases?: Releases;
  }
}

export const Installation = z.object({
  version: z.string().nullable(),
  newer_version: z.string().nullable(),
});
export type Installation = z.infer<typeof Installation>;

export async function getInstallation({ services: { releases } }: PersonCtx): Promise<Installation> {
  return { version: releases?.running ?? null, newer_version: (await releases?.newer()) ?? null };
}
