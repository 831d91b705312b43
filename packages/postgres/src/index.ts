export { Admission, asParty, asWriter, holdingTurn, type Lane, type Leave, type Party } from './admission.ts';
export { LIMITS, Postgres, type PostgresOptions, type SessionLimits } from './database.ts';
export { ConnectionLost, Overloaded, TransactionEnded, isStalePlan } from './errors.ts';
export { Notices, type NoticesOptions } from './notices.ts';
export type { Client as PgClient } from 'pg';
export { type PositionTable, Replica } from './replica.ts';
export type { SentStatement } from './session.ts';
export { type SessionOptions, SocketClient, askOnce, openSession } from './socket-client.ts';
export { execute, post } from './transactions.ts';
