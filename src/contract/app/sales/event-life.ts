/** The life of an event: from a draft to a published event and back, and to the next one. */
import * as z from 'zod/mini';
import { createEvent } from '#contract/app/events.ts';
import { endpoint } from '#contract/endpoint.ts';
import { affiliateCode } from '#contract/forms/event-form.ts';
import { messageReply } from '#contract/message-reply.ts';

const ofEvent = { eventId: z.string() };

/** Publishing a published event again changes nothing. With `allDates`, all drafts of its series are published with it, or none is. */
export const publishEvent = endpoint({
  method: 'POST',
  path: '/api/protected/event/:eventId/publish',
  access: 'organizer',
  input: z.object({ ...ofEvent, affiliateCode, allDates: z.optional(z.boolean()) }),
  reply: createEvent.reply,
});

/** Makes it a draft again. */
export const takeDownEvent = endpoint({
  method: 'POST',
  path: '/api/protected/event/:eventId/take-down',
  access: 'organizer',
  input: z.object(ofEvent),
  reply: messageReply,
});

/** Makes a draft like the event. Repeated with the same `duplicateId`, it answers with the draft that it made. */
export const duplicateEvent = endpoint({
  method: 'POST',
  path: '/api/protected/event/:eventId/duplicate',
  access: 'organizer',
  input: z.object({ ...ofEvent, duplicateId: z.uuid() }),
  reply: z.object(ofEvent),
});

export const deleteDraft = endpoint({
  method: 'DELETE',
  path: '/api/protected/event/:eventId/draft',
  access: 'organizer',
  input: z.object(ofEvent),
  reply: messageReply,
});
