import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { deleteOrganization } from '#contract/app/privacy.ts';
import { leaveOrganization, removeMember, type Team, withdrawInvitation } from '#contract/app/team.ts';
import type { Access } from '#domain/accounts/roles.ts';
import { roleNames, teamPage as text } from '#messages/accounts/team.ts';
import { organizationDeletion } from '#messages/privacy.ts';
import { call, messageFrom } from '#web/api.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Chip } from '#web/ui/data/Chip.tsx';
import { type Column, DataTable } from '#web/ui/data/DataTable.tsx';
import { ConfirmDialog } from '#web/ui/dialog/ConfirmDialog.tsx';
import { NotLoaded } from '#web/ui/feedback/NotLoaded.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Page } from '#web/ui/page/Page.tsx';
import shared from '../security.module.css';
import { ChangeAccessDialog } from './ChangeAccessDialog.tsx';
import { InviteDialog } from './InviteDialog.tsx';
import styles from './team.module.css';
import { type Invitation, type Member, useTeam } from './use-team.ts';

type OpenDialog = { is: 'invite' | 'leave' | 'delete' } | { is: 'change' | 'remove'; member: Member };

export function TeamScreen() {
  const navigate = useNavigate();
  const { shown, failure, reload } = useTeam();
  const [open, setOpen] = useState<OpenDialog | null>(null);
  const close = () => setOpen(null);
  const isOwner = shown?.members.some(({ isYou, role }) => isYou && role === 'owner') ?? false;

  return (
    <Page title={text.title} lead={text.lead}>
      {failure && <NotLoaded {...failure} onRetry={reload} />}
      {shown && (
        <>
          <section className={shared.card} aria-labelledby="members-title">
            <header className={styles.head}>
              <h2 id="members-title">{text.members}</h2>
              <Button onClick={() => setOpen({ is: 'invite' })}>{text.invite}</Button>
            </header>
            {shown.members.length === 1 && <p className={shared.why}>{text.onlyYou}</p>}
            <Members
              team={shown}
              mayChangeOwners={isOwner}
              onChange={(member) => setOpen({ is: 'change', member })}
              onRemove={(member) => setOpen({ is: 'remove', member })}
            />
          </section>
          {shown.invitations.length > 0 && <Invitations team={shown} mayChangeOwners={isOwner} onWithdrawn={reload} />}
          <div className={shared.choices}>
            {shown.members.length > 1 && (
              <Button kind="ghost" onClick={() => setOpen({ is: 'leave' })}>
                {text.leave}
              </Button>
            )}
            {isOwner && (
              <Button kind="ghost" onClick={() => setOpen({ is: 'delete' })}>
                {organizationDeletion.remove}
              </Button>
            )}
          </div>
        </>
      )}
      <p className={shared.back}>
        <Link to="/profile">{text.back}</Link>
      </p>

      {shown && open?.is === 'invite' && (
        <InviteDialog events={shown.events} mayChooseOwner={isOwner} onInvited={reload} onClose={close} />
      )}
      {shown && open?.is === 'change' && (
        <ChangeAccessDialog
          member={open.member}
          events={shown.events}
          mayChooseOwner={isOwner}
          onChanged={reload}
          onClose={close}
        />
      )}
      {open?.is === 'remove' && (
        <ConfirmDialog
          title={text.removeTitle}
          why={text.removeWhy(open.member.email)}
          confirm={text.confirmRemove}
          cancel={text.keep}
          send={() => call(removeMember, { userId: open.member.userId })}
          onDone={reload}
          onClose={close}
        />
      )}
      {open?.is === 'leave' && (
        <ConfirmDialog
          title={text.leaveTitle}
          why={text.leaveWhy}
          confirm={text.leave}
          cancel={text.stay}
          send={() => call(leaveOrganization, {})}
          onDone={() => navigate('/profile')}
          onClose={close}
        />
      )}
      {open?.is === 'delete' && (
        <ConfirmDialog
          title={organizationDeletion.remove}
          why={organizationDeletion.why}
          confirm={organizationDeletion.confirm}
          cancel={organizationDeletion.keep}
          send={() => call(deleteOrganization, {})}
          onDone={() => navigate('/profile')}
          onClose={close}
        />
      )}
    </Page>
  );
}

interface MembersProps {
  team: Team;
  mayChangeOwners: boolean;
  onChange: (member: Member) => void;
  onRemove: (member: Member) => void;
}

function Members({ team, mayChangeOwners, onChange, onRemove }: MembersProps) {
  const columns: Column<Member>[] = [
    { label: text.person, cell: (member) => <Person member={member} /> },
    { label: text.role, cell: ({ role }) => roleNames[role] },
    { label: text.events, cell: (member) => eventsOf(member, team) },
    { label: text.lastSeen, cell: ({ lastSeenAt }) => (lastSeenAt ? dayOf(lastSeenAt) : text.neverSeen) },
    {
      label: text.actions,
      quiet: true,
      cell: (member) =>
        (mayChangeOwners || member.role !== 'owner') && (
          <span className={shared.choices}>
            <Button kind="ghost" aria-label={text.changeLabel(member.email)} onClick={() => onChange(member)}>
              {text.change}
            </Button>
            {!member.isYou && (
              <Button kind="ghost" aria-label={text.removeLabel(member.email)} onClick={() => onRemove(member)}>
                {text.remove}
              </Button>
            )}
          </span>
        ),
    },
  ];
  return <DataTable caption={text.caption} columns={columns} rows={team.members} keyOf={({ userId }) => userId} />;
}

function Person({ member: { email, isYou } }: { member: Member }) {
  return (
    <span className={styles.person}>
      {email} {isYou && <Chip tone="ok">{text.you}</Chip>}
    </span>
  );
}

interface InvitationsProps {
  team: Team;
  mayChangeOwners: boolean;
  onWithdrawn: () => Promise<void>;
}

function Invitations({ team, mayChangeOwners, onWithdrawn }: InvitationsProps) {
  const [busyWith, setBusyWith] = useState<string | null>(null);

  async function withdraw(invitationId: string) {
    setBusyWith(invitationId);
    try {
      toast.success((await call(withdrawInvitation, { invitationId })).msg);
      await onWithdrawn();
    } catch (error) {
      toast.error(messageFrom(error, text.failed));
    }
    setBusyWith(null);
  }

  const columns: Column<Invitation>[] = [
    { label: text.person, cell: ({ email }) => <span className={styles.person}>{email}</span> },
    { label: text.role, cell: ({ role }) => roleNames[role] },
    { label: text.events, cell: (invitation) => eventsOf(invitation, team) },
    { label: text.until, cell: ({ expiresAt }) => dayOf(expiresAt) },
    {
      label: text.actions,
      quiet: true,
      cell: ({ id, email, role }) =>
        (mayChangeOwners || role !== 'owner') && (
          <Button
            kind="ghost"
            busy={busyWith === id}
            aria-label={text.withdrawLabel(email)}
            onClick={() => withdraw(id)}
          >
            {text.withdraw}
          </Button>
        ),
    },
  ];
  return (
    <section className={shared.card} aria-labelledby="invitations-title">
      <h2 id="invitations-title">{text.invitations}</h2>
      <DataTable caption={text.invitationsCaption} columns={columns} rows={team.invitations} keyOf={({ id }) => id} />
    </section>
  );
}

function eventsOf({ onlyEventIds }: Pick<Access, 'onlyEventIds'>, { events }: Team): string {
  if (onlyEventIds === null) return text.allEvents;
  return events
    .filter(({ eventId }) => onlyEventIds.includes(eventId))
    .map(({ title }) => title)
    .join(', ');
}

const dayOf = (at: string) =>
  new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric' }).format(new Date(at));

export { TeamScreen as Component };
