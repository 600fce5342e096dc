/** Emails about an account, a team or the data of an address. */
import * as z from 'zod/mini';
import { roles } from '#domain/accounts/roles.ts';
import { emailedCode } from '#server/platform/outbox/emailed-code.ts';
import { linkToken, storedLinkToken } from '#server/platform/outbox/link-token.ts';
import { eventAtDoor, invitationForEmail, organizationName, storedLinkHash } from './outbox.sql.ts';
import { eventParams, type Render, type RenderDeps } from './queued-email.ts';
import {
  accountInfoChangedEmail,
  confirmNewEmailEmail,
  emailChangedEmail,
  factorChangedEmail,
  failedLoginsEmail,
  loginCodeEmail,
  newLoginEmail,
  passwordChangedEmail,
  recordsLinkEmail,
  recoveryCodeUsedEmail,
  resetPasswordEmail,
  verifyEmailEmail,
} from './templates/account.ts';
import { apiKeyCreatedEmail } from './templates/api-key.ts';
import {
  checkInHoursChangedEmail,
  invitationEmail,
  memberRemovedEmail,
  organizationDeletedEmail,
  roleChangedEmail,
} from './templates/team.ts';
import { viewedBySupportEmail } from './templates/viewed-by-support.ts';
import { webhookCreatedEmail, webhookEndedEmail, webhookFailingEmail } from './templates/webhooks.ts';

const emailChangedParams = z.object({ newEmail: z.string() });
const newLoginParams = z.object({ device: z.string() });
const recoveryCodeParams = z.object({ left: z.coerce.number() });
const webhookEmailParams = z.object({ endpointId: z.string(), host: z.string() });
const membershipParams = z.object({ organizationId: z.string() });
const deletedParams = z.object({ organizationName: z.string() });
const roleParams = z.object({ organizationId: z.string(), role: z.enum(roles) });

export const accountRenderers = {
  async 'verify-email'(deps, { subjectId }) {
    return verifyEmailEmail({ url: await pageUrl(deps, '/verify-email', subjectId) });
  },

  async 'reset-password'(deps, { subjectId }) {
    return resetPasswordEmail({ url: `${deps.publicUrl}/reset-password/${await tokenOf(deps, subjectId)}` });
  },

  async 'records-link'(deps, { subjectId }) {
    return recordsLinkEmail({ url: `${deps.publicUrl}/privacy/${await tokenOf(deps, subjectId)}` });
  },

  async 'password-changed'({ publicUrl }) {
    return passwordChangedEmail({ url: `${publicUrl}/forgot-password` });
  },

  async 'factor-changed'({ publicUrl }) {
    return factorChangedEmail({ url: `${publicUrl}/organization/security` });
  },

  async 'new-login'({ publicUrl }, { params }) {
    const { device } = newLoginParams.parse(params);
    return newLoginEmail({ url: `${publicUrl}/organization/security`, device });
  },

  async 'login-code'({ appSecret }, { subjectId }) {
    return loginCodeEmail({ code: emailedCode(appSecret, subjectId) });
  },

  async 'recovery-code-used'({ publicUrl }, { params }) {
    const { left } = recoveryCodeParams.parse(params);
    return recoveryCodeUsedEmail({ url: `${publicUrl}/organization/security`, left });
  },

  async invitation(deps, { subjectId }) {
    const found = await invitationForEmail(deps.db, subjectId);
    return found ? invitationEmail({ ...found, url: await pageUrl(deps, '/invitation', subjectId) }) : null;
  },

  async 'role-changed'({ db, publicUrl }, { params }) {
    const { organizationId, role } = roleParams.parse(params);
    return roleChangedEmail({
      role,
      organizationName: await organizationName(db, organizationId),
      url: `${publicUrl}/profile`,
    });
  },

  async 'member-removed'({ db }, { params }) {
    const { organizationId } = membershipParams.parse(params);
    return memberRemovedEmail({ organizationName: await organizationName(db, organizationId) });
  },

  async 'organization-deleted'(_deps, { params }) {
    return organizationDeletedEmail(deletedParams.parse(params));
  },

  async 'check-in-hours-changed'({ db, publicUrl }, { params }) {
    const { eventId } = eventParams.parse(params);
    const event = await eventAtDoor(db, eventId);
    const url = `${publicUrl}/scanner?event=${eventId}`;
    return event && !event.cancelledAt ? checkInHoursChangedEmail({ ...event, url }) : null;
  },

  async 'password-guessed'({ publicUrl }) {
    return failedLoginsEmail({ url: `${publicUrl}/forgot-password` });
  },

  async 'account-info-changed'({ publicUrl }) {
    return accountInfoChangedEmail({ url: `${publicUrl}/forgot-password` });
  },

  async 'confirm-new-email'(deps, { subjectId }) {
    return confirmNewEmailEmail({ url: await pageUrl(deps, '/confirm-email-change', subjectId) });
  },

  async 'email-change-alert'(deps, { subjectId, params }) {
    const { newEmail } = emailChangedParams.parse(params);
    return emailChangedEmail({ url: await pageUrl(deps, '/undo-email-change', subjectId), newEmail });
  },

  async 'api-key-created'({ publicUrl }) {
    return apiKeyCreatedEmail({ url: `${publicUrl}/organization/api` });
  },

  async 'webhook-created'({ publicUrl }, { params }) {
    return webhookCreatedEmail(webhookParams(publicUrl, params));
  },

  async 'webhook-failing'({ publicUrl }, { params }) {
    return webhookFailingEmail(webhookParams(publicUrl, params));
  },

  async 'webhook-ended'({ publicUrl }, { params }) {
    return webhookEndedEmail(webhookParams(publicUrl, params));
  },

  async 'viewed-by-support'({ publicUrl }) {
    return viewedBySupportEmail({ url: `${publicUrl}/organization/activity` });
  },
} satisfies Record<string, Render>;

function webhookParams(publicUrl: string, params: unknown) {
  const { endpointId, host } = webhookEmailParams.parse(params);
  return { url: `${publicUrl}/organization/webhooks/${endpointId}`, host };
}

async function pageUrl(deps: RenderDeps, path: `/${string}`, linkId: string): Promise<string> {
  return `${deps.publicUrl}${path}?token=${await tokenOf(deps, linkId)}`;
}

/** The link may have been made under an earlier secret than the email. */
async function tokenOf({ db, appSecret }: RenderDeps, linkId: string): Promise<string> {
  const tokenHash = await storedLinkHash(db, linkId);
  return (tokenHash && storedLinkToken(appSecret, linkId, tokenHash)) ?? linkToken(appSecret, linkId);
}
