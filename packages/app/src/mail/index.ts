export { createLogMailer } from './log-mailer.ts';
export { type SmtpSettings, createSmtpMailer } from './smtp-mailer.ts';
