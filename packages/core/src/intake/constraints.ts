import type { UniqueIndexes } from '../platform/errors/constraints.ts';

/** The errors for violations of the unique indexes of the intake's tables. */
export const INTAKE_CONSTRAINTS = {
  attribution_claim_customer_id_source_key: { internal: 'Inserting an existing claim does nothing.' },
  lead_network_pkey: { internal: 'Inserting an existing lead does nothing.' },
  psp_event_pkey: { internal: 'Inserting an existing event does nothing.' },
} satisfies UniqueIndexes;
