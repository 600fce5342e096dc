/** Further dates of an event, which make a series of it. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { DATE_DENIALS } from '#domain/series/recurrence.ts';

const eventDate = z.object({
  /** As it was asked for: local, `YYYY-MM-DDTHH:mm`. */
  start: z.string(),
  /** UTC; null where the time does not exist. */
  startsAt: z.nullable(z.string()),
  endsAt: z.nullable(z.string()),
  /** Why it can't be added. */
  denial: z.nullable(z.enum(DATE_DENIALS)),
  /** In the hour that occurs twice: the earlier start, the later end. */
  isInDoubledHour: z.boolean(),
});

export type EventDate = z.infer<typeof eventDate>;

/**
 * Makes an event like this one on each of the dates, in the same state: published dates of a published event. Repeated with the same
 * `requestId`, it answers with the dates that it made. A dry run makes nothing and says of each date whether it can be added; the
 * call itself is denied with the first that can't.
 */
export const addDates = endpoint({
  method: 'POST',
  path: '/api/protected/event/:eventId/dates',
  access: 'organizer',
  input: z.object({
    eventId: z.string(),
    /** Local starts in the event's zone. */
    dates: z.array(z.string()).check(z.minLength(1)),
    requestId: z.uuid(),
    dryRun: z.optional(z.boolean()),
  }),
  reply: z.object({
    dates: z.array(eventDate),
    /** Of the dates that were made, in the order of their starts. Empty for a dry run. */
    eventIds: z.array(z.string()),
    /** Null for a dry run of an event that is in no series. */
    seriesId: z.nullable(z.string()),
  }),
});
