/** Receives the worker's counts. Implemented by the exporter of metrics. */
export interface WorkerMetrics {
  /** Called after each recorded attempt. `errorCode` is null if the attempt succeeded. */
  attempted(attempt: { eventType: string; errorCode: string | null; durationMs: number }): void;
}
