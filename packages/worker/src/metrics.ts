/** Receives the worker's counts; implemented by the exporter of metrics. */
export interface WorkerMetrics {
  /** Called after each recorded attempt. `errorCode` is null when it succeeded. */
  attempted(attempt: { eventType: string; errorCode: string | null; durationMs: number }): void;
}
