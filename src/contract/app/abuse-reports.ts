/** Reports of an event by anyone, and the operator's list of them. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { because } from '#contract/forms/form-problem.ts';
import { honeypot } from '#contract/forms/honeypot.ts';
import { someLines } from '#contract/forms/typed-text.ts';
import { messageReply } from '#contract/message-reply.ts';
import { REPORT_TEXT_MAX } from '#domain/limits.ts';
import { noteForm } from './action-items.ts';

export const reportReasons = ['not-real', 'misleading', 'rights', 'harmful', 'other'] as const;

export type ReportReason = (typeof reportReasons)[number];

export const reportForm = z.object({
  honeypot,
  reason: z.enum(reportReasons, because('report-reason.missing')),
  text: z.string().check(someLines(), z.maxLength(REPORT_TEXT_MAX, because('report-text.too-long'))),
});

export const reportEvent = endpoint({
  method: 'POST',
  path: '/api/public/report-event',
  access: 'public',
  /** `reportId`: chosen by the caller, so that a repeated request is one report. */
  input: z.object({ ...reportForm.shape, eventId: z.string(), reportId: z.uuid() }),
  reply: messageReply,
});

const reportedEvent = z.object({
  eventId: z.string(),
  title: z.string(),
  organization: z.nullable(z.string()),
  /** Unhandled, and from how many networks. */
  count: z.number(),
  networks: z.number(),
  /** The newest. */
  reports: z.array(z.object({ id: z.string(), at: z.string(), reason: z.enum(reportReasons), text: z.string() })),
});

export type ReportedEvent = z.infer<typeof reportedEvent>;

/** Those with the most networks first; `total` counts all. */
export const adminReports = endpoint({
  method: 'GET',
  path: '/api/protected/admin/reports',
  access: 'admin',
  input: z.object({}),
  reply: z.object({ events: z.array(reportedEvent), total: z.number() }),
});

/** Takes an event off the list, until it is reported again. */
export const handleReports = endpoint({
  method: 'POST',
  path: '/api/protected/admin/handle-reports',
  access: 'admin',
  input: z.object({ eventId: z.string(), ...noteForm.shape }),
  reply: messageReply,
});
