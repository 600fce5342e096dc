/** What an event asks its buyers: the names of its guests, and questions. As organizers set it up. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { guestForm } from '#contract/forms/guest-form.ts';
import { messageReply } from '#contract/message-reply.ts';
import { NAME_RULES, QUESTION_KINDS, QUESTION_SCOPES } from '#domain/sales/guest-form.ts';

const ownQuestion = z.object({
  questionId: z.string(),
  kind: z.enum(QUESTION_KINDS),
  label: z.string(),
  help: z.string(),
  options: z.array(z.string()),
  isRequired: z.boolean(),
  scope: z.enum(QUESTION_SCOPES),
  /** Null: asked about all types. */
  ticketIds: z.nullable(z.array(z.string())),
  deleteAfterDays: z.int(),
  isShownAtDoor: z.boolean(),
});

export type OwnQuestion = z.infer<typeof ownQuestion>;

export const eventGuestForm = endpoint({
  method: 'GET',
  path: '/api/protected/event/:eventId/guest-form',
  access: 'organizer',
  input: z.object({ eventId: z.string() }),
  reply: z.object({
    /** To save with; 0 before the first form. */
    version: z.int(),
    asksNames: z.enum(NAME_RULES),
    questions: z.array(ownQuestion),
    /** Check-in devices find guests by name. */
    allowsNameSearch: z.boolean(),
  }),
});

export type OwnGuestForm = z.infer<(typeof eventGuestForm)['reply']>;

/** Replaces the whole form. Orders that are reserved already are asked what they were asked. */
export const editGuestForm = endpoint({
  method: 'PATCH',
  path: '/api/protected/event/:eventId/guest-form',
  access: 'organizer',
  isLarge: true,
  input: z.extend(guestForm, { eventId: z.string(), version: z.int() }),
  reply: messageReply,
});
