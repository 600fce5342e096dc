/** Security of a person's account: the password and the logged-in devices. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { emailField } from '#contract/forms/email-field.ts';
import { ownPasswordForm } from '#contract/forms/own-password.ts';
import { messageReply } from '#contract/message-reply.ts';
import { resetPasswordForm } from './accounts.ts';

export const changePasswordForm = z.intersection(ownPasswordForm, resetPasswordForm);

/** Ends all other sessions. */
export const changePassword = endpoint({
  method: 'POST',
  path: '/api/protected/change-password',
  access: 'organizer',
  input: changePasswordForm,
  reply: messageReply,
});

/** Those that are guessed first, so that a form can warn without sending what is typed. */
export const commonPasswords = endpoint({
  method: 'GET',
  path: '/api/public/common-passwords',
  access: 'public',
  input: z.object({}),
  reply: z.object({ passwords: z.array(z.string()) }),
});

export const sessions = endpoint({
  method: 'GET',
  path: '/api/protected/sessions',
  access: 'organizer',
  input: z.object({}),
  reply: z.object({
    sessions: z.array(
      z.object({
        id: z.string(),
        /** `Chrome on Windows`; null for an API client or an unknown browser. */
        browser: z.nullable(z.string()),
        createdAt: z.string(),
        lastSeenAt: z.string(),
        isThis: z.boolean(),
      }),
    ),
  }),
});

export const endSession = endpoint({
  method: 'POST',
  path: '/api/protected/end-session',
  access: 'organizer',
  input: z.object({ sessionId: z.uuid() }),
  reply: messageReply,
});

export const endOtherSessions = endpoint({
  method: 'POST',
  path: '/api/protected/end-other-sessions',
  access: 'organizer',
  input: z.object({}),
  reply: messageReply,
});

/** By an operator: logs a person out everywhere. */
export const endSessions = endpoint({
  method: 'POST',
  path: '/api/protected/admin/end-sessions',
  access: 'admin',
  input: z.object({ email: emailField }),
  reply: messageReply,
});
