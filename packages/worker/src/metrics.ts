/** What a worker counts; whoever exports metrics gives it one of these. */
export interface WorkerMetrics {
  /** After each attempt was recorded. `errorCode` is null when it succeeded. */
  attempted(attempt: { eventType: string; errorCode: string | null; durationMs: number }): void;
}
