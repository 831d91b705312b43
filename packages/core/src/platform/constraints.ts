import type { UniqueIndexes } from './errors/constraints.ts';

/** The errors for violations of the unique indexes of the platform's tables. */
export const PLATFORM_CONSTRAINTS = {
  account_write_pkey: { internal: 'An insert updates an existing row (upsert).' },
  blocked_recipient_pkey: { internal: 'A second refusal updates the existing row (upsert).' },
  busy_mail_host_pkey: { internal: 'A second failure updates the existing row (upsert).' },
  file_part_pkey: { internal: 'The id of a file is random.' },
  audit_subject_pkey: { internal: 'The records of an entry are distinct, and a record that is added again changes nothing.' },
  idempotency_key_pkey: { internal: 'An insert replaces an existing row, which holds an expired key or begun work (upsert).' },
  unblocked_recipient_pkey: { internal: 'Unblocking again updates the existing row (upsert).' },
  operation_key: { internal: 'Operations are added under the lock of their key.' },
  operation_open: { internal: 'Operations are added under the lock of their subject.' },
  upload_pkey: { internal: 'The id of a file is random.' },
} satisfies UniqueIndexes;
