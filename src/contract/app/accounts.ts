/** Organizer accounts: sign-up, login, verification, profile and account information. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { accountInfoForm } from '#contract/forms/account-info.ts';
import { emailField } from '#contract/forms/email-field.ts';
import { because, type FormReason } from '#contract/forms/form-problem.ts';
import { honeypot } from '#contract/forms/honeypot.ts';
import { ownPasswordForm } from '#contract/forms/own-password.ts';
import { passwordField } from '#contract/forms/password-field.ts';
import { messageReply } from '#contract/message-reply.ts';
import type { OnboardingStep } from '#domain/accounts/onboarding.ts';
import { roles } from '#domain/accounts/roles.ts';
import { characterCount, EMAIL_MAX, PASSWORD_MAX, PASSWORD_MIN } from '#domain/limits.ts';
import { ownDispute } from './disputes.ts';
import { brake, organizerEvent } from './events.ts';
import { factorRequired } from './factors.ts';
import { plan } from './plans.ts';

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const isTooLong = (password: unknown) => typeof password === 'string' && characterCount(password) > PASSWORD_MAX;

/** Each form has its own reason for a password that is too long. */
const newPasswordField = (tooLong: FormReason) =>
  z
    .string()
    .check(z.minLength(PASSWORD_MIN, because('password.too-short')), z.maxLength(PASSWORD_MAX, because(tooLong)));

export const registerForm = z
  .object({
    email: emailField,
    password: newPasswordField('passwords.too-long'),
    confirmPassword: z.string(),
    acceptedTerms: z.literal(true, because('terms.not-accepted')),
    honeypot,
  })
  .check(
    // The message covers both fields, so it is reported once.
    z.refine((form) => isTooLong(form.password) || !isTooLong(form.confirmPassword), {
      error: because('passwords.too-long'),
      path: ['confirmPassword'],
      when: ({ value }) => isObject(value),
    }),
    z.refine((form) => form.password === form.confirmPassword, {
      error: because('passwords.differ'),
      path: ['confirmPassword'],
      when: ({ value }) => isObject(value) && 'confirmPassword' in value,
    }),
  );

export const register = endpoint({
  method: 'POST',
  path: '/api/public/register',
  access: 'public',
  input: registerForm,
  reply: z.object({ url: z.string() }),
});

export const loginForm = z.object({
  email: z
    .string()
    .check(z.trim(), z.minLength(1, because('email.missing')), z.maxLength(EMAIL_MAX, because('email.too-long'))),
  password: passwordField.check(z.minLength(1, because('password.missing'))),
  honeypot,
});

export const login = endpoint({
  method: 'POST',
  path: '/api/protected/login',
  access: 'public',
  input: loginForm,
  reply: z.union([z.object({ token: z.string() }), factorRequired]),
});

export const logout = endpoint({
  method: 'POST',
  path: '/api/protected/logout',
  access: 'public',
  input: z.object({}),
  reply: messageReply,
});

export const verifyEmail = endpoint({
  method: 'GET',
  path: '/api/public/verify-email',
  access: 'public',
  input: z.object({ token: z.string() }),
  reply: messageReply,
});

export const resendVerification = endpoint({
  method: 'POST',
  path: '/api/protected/resend-verification',
  access: 'organizer',
  input: z.object({}),
  reply: messageReply,
});

/** Confirms that the caller is the account's owner. Calls that need it answer `auth.reauthentication-required`. */
export const reauthenticate = endpoint({
  method: 'POST',
  path: '/api/protected/reauthenticate',
  access: 'organizer',
  input: ownPasswordForm,
  reply: z.object({}),
});

export const forgotPasswordForm = z.object({ email: emailField, honeypot });

export const forgotPassword = endpoint({
  method: 'POST',
  path: '/api/public/forgot-password',
  access: 'public',
  input: forgotPasswordForm,
  reply: messageReply,
});

/** A new password, typed twice. */
export const resetPasswordForm = z
  .object({ newPassword: newPasswordField('new-passwords.too-long'), confirmNewPassword: z.string() })
  .check(
    z.refine((form) => isTooLong(form.newPassword) || !isTooLong(form.confirmNewPassword), {
      error: because('new-passwords.too-long'),
      path: ['confirmNewPassword'],
      when: ({ value }) => isObject(value),
    }),
    z.refine((form) => form.newPassword === form.confirmNewPassword, {
      error: because('passwords.differ'),
      path: ['confirmNewPassword'],
      when: ({ value }) => isObject(value) && 'confirmNewPassword' in value,
    }),
  );

/** Replies with plain text, because clients show the whole body as the message. */
export const resetPassword = endpoint({
  method: 'POST',
  path: '/api/public/reset-password/:token',
  access: 'public',
  input: z.intersection(resetPasswordForm, z.object({ token: z.string() })),
  reply: z.string(),
});

export const changeEmailForm = z.object({ newEmail: emailField, honeypot });

export const changeEmail = endpoint({
  method: 'POST',
  path: '/api/protected/change-email',
  access: 'organizer',
  input: changeEmailForm,
  reply: messageReply,
});

export const confirmEmailChange = endpoint({
  method: 'POST',
  path: '/api/public/confirm-email-change',
  access: 'public',
  input: z.object({ token: z.string() }),
  reply: messageReply,
});

export const undoEmailChange = endpoint({
  method: 'POST',
  path: '/api/public/undo-email-change',
  access: 'public',
  input: z.object({ token: z.string() }),
  reply: messageReply,
});

const onboardingSteps = ['verify-email', 'account-information', 'connect-payouts'] as const satisfies OnboardingStep[];

export const profile = endpoint({
  method: 'GET',
  path: '/api/protected/profile',
  access: 'organizer',
  input: z.object({}),
  reply: z.object({
    _id: z.string(),
    /** What the caller was given in the organization. Screens show only what it allows. */
    access: z.object({ role: z.enum(roles), onlyEventIds: z.nullable(z.array(z.string())) }),
    email: z.string(),
    isEmailVerified: z.boolean(),
    organizationName: z.nullable(z.string()),
    organizationBio: z.nullable(z.string()),
    tokenCount: z.number(),
    affiliateCode: z.nullable(z.string()),
    /** What its next event gets. */
    plan,
    /** Payouts wait until an owner confirms the payout account. */
    isPayoutAccountUnconfirmed: z.boolean(),
    /** Set while the payout account can't receive money: paid tickets stop selling then, if they haven't yet. */
    accountTrouble: z.nullable(z.object({ kind: z.enum(['restricted', 'stopped', 'closed']), stopAt: z.string() })),
    /** Set while an operator has suspended the organization. */
    suspended: z.nullable(brake),
    /** Undecided, what is due first comes first. Empty in roles that can't answer. */
    disputes: z.array(ownDispute),
    /** Remaining onboarding steps, in order. */
    openSteps: z.array(z.enum(onboardingSteps)),
    accountInfo: z.nullable(
      z.object({
        firstName: z.string(),
        lastName: z.string(),
        /** Null once Stripe has verified the payout account: the date is then deleted. */
        dateOfBirth: z.nullable(z.string()),
        phoneNumber: z.string(),
        organizationType: z.enum(['individual', 'company']),
        taxIdLast4: z.string(),
      }),
    ),
    /** The first ones: active events first, each group newest first. `eventRows` lists all. */
    events: z.array(organizerEvent),
    /** Of all events, also those of further pages. */
    sales: z.object({
      ticketsOffered: z.number(),
      ticketsSold: z.number(),
      /** Without add-ons, as what was scanned of them. */
      ticketsToScan: z.number(),
      ticketsScanned: z.number(),
      /** Dollars; null in roles that may not see it. */
      gross: z.nullable(z.number()),
    }),
  }),
});

export const saveAccountInfo = endpoint({
  method: 'POST',
  path: '/api/protected/accountInfo',
  access: 'organizer',
  input: accountInfoForm,
  reply: messageReply,
});
