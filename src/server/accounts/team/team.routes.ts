import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/app/team.ts';
import { teamDone } from '#messages/accounts/team.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mount } from '#server/platform/http/mount.ts';
import { acceptInvitation, readInvitation } from './accept-invitation.ts';
import { changeRole, leaveOrganization, removeMember, switchOrganization } from './change-members.ts';
import { invite, withdrawInvitation } from './invite.ts';
import { listOrganizations, listTeam } from './list-team.ts';

export function teamRoutes(app: FastifyInstance, deps: Deps): void {
  mount(app, contract.team, (_input, { organizer }) => listTeam(deps, organizer));
  mount(app, contract.invite, async (form, { organizer }) => {
    await invite(deps, organizer, form);
    return { msg: teamDone.invited };
  });
  mount(app, contract.withdrawInvitation, async ({ invitationId }, { organizer }) => {
    await withdrawInvitation(deps, organizer, invitationId);
    return { msg: teamDone.withdrawn };
  });
  mount(app, contract.changeRole, async (change, { organizer }) => {
    await changeRole(deps, organizer, change);
    return { msg: teamDone.roleChanged };
  });
  mount(app, contract.removeMember, async ({ userId }, { organizer }) => {
    await removeMember(deps, organizer, userId);
    return { msg: teamDone.removed };
  });
  mount(app, contract.leaveOrganization, async (_input, { organizer }) => {
    await leaveOrganization(deps, organizer);
    return { msg: teamDone.left };
  });

  mount(app, contract.organizations, (_input, { organizer }) => listOrganizations(deps, organizer));
  mount(app, contract.switchOrganization, async ({ organizationId }, { organizer }) => {
    await switchOrganization(deps, organizer, organizationId);
    return {};
  });

  mount(app, contract.invitation, ({ token }, { ip }) => readInvitation(deps, { token, ip }));
  mount(app, contract.acceptInvitation, async ({ token }, { organizer, ip }) => {
    await acceptInvitation(deps, organizer, { token, ip });
    return { msg: teamDone.joined };
  });
}
