import { ChangeCodeDialog } from '#web/ui/dialog/ChangeCodeDialog.tsx';
import { AccountInformationDialog } from './account/AccountInformationDialog.tsx';
import { DeleteAccountDialog } from './account/DeleteAccountDialog.tsx';
import { AffiliateProgramDialog } from './affiliate/AffiliateProgramDialog.tsx';
import { CreateEventDialog } from './event-dialogs/CreateEventDialog.tsx';
import { EditEventDialog } from './event-dialogs/EditEventDialog.tsx';
import { CancelEventDialog } from './events/CancelEventDialog.tsx';
import type { EventDialog } from './events/EventActions.tsx';
import { AddPhotosDialog } from './photos/AddPhotosDialog.tsx';
import { ArrangePhotosDialog } from './photos/arrange/ArrangePhotosDialog.tsx';
import { DeletePhotosDialog } from './photos/DeletePhotosDialog.tsx';
import type { Profile } from './use-profile.ts';

export type OpenDialog =
  | { is: 'create-event' | 'account-information' | 'affiliate-program' | 'delete-account' }
  | { is: EventDialog; eventId: string };

interface ProfileDialogProps {
  open: OpenDialog;
  organizer: Profile;
  onClose: () => void;
  onChanged: () => Promise<void>;
}

function ProfileDialog({ open, organizer, onClose, onChanged }: ProfileDialogProps) {
  const event = 'eventId' in open ? organizer.events.find(({ eventId }) => eventId === open.eventId) : undefined;

  switch (open.is) {
    case 'create-event':
      return <CreateEventDialog organizer={organizer} onClose={onClose} onCreated={onChanged} />;
    case 'account-information':
      return <AccountInformationDialog organizer={organizer} onClose={onClose} onSaved={onChanged} />;
    case 'affiliate-program':
      return <AffiliateProgramDialog organizer={organizer} onClose={onClose} onGenerated={onChanged} />;
    case 'delete-account':
      return <DeleteAccountDialog onClose={onClose} />;
    case 'edit-event':
      return event && <EditEventDialog organizer={organizer} event={event} onClose={onClose} onSaved={onChanged} />;
    case 'add-photos':
      return event && <AddPhotosDialog event={event} onClose={onClose} onUploaded={onChanged} />;
    case 'arrange-photos':
      return event && <ArrangePhotosDialog event={event} onClose={onClose} onSaved={onChanged} />;
    case 'delete-photos':
      return event && <DeletePhotosDialog event={event} onClose={onClose} onDeleted={onChanged} />;
    case 'change-code':
      return event && <ChangeCodeDialog event={event} onClose={onClose} onCodeChanged={onChanged} />;
    case 'cancel-event':
      return event && <CancelEventDialog event={event} onClose={onClose} onCancelled={onChanged} />;
  }
}

export { ProfileDialog as Component };
