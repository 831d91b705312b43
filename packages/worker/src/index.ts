export { EndpointConnections } from './endpoint-connections.ts';
export { createDocumentReader, createPageReader } from './read-page.ts';
export { createHostResolver, createTextResolver } from './resolve-host.ts';
export {
  postWebhook,
  type WebhookErrorCode,
  type WebhookExchange,
  type WebhookPost,
  type WebhookResponse,
  type WebhookTransport,
} from './http-request.ts';
export { JobQueue, type JobQueueOptions } from './job-queue.ts';
export { type Maintenance, type MaintenanceJob, type MaintenanceOptions, startMaintenance } from './maintenance.ts';
export type { WorkerMetrics } from './endpoint-pump.ts';
export { startWorker, type Worker, type WorkerOptions } from './worker.ts';
export { type FailedJob, type QueueFigures, failedJobs, queueFigures, retryFailedJobs } from './job-inspection.ts';
export { JobSender, type JobSenderOptions } from './job-sender.ts';
