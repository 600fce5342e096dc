import type { OrganizerEvent } from '#contract/app/events.ts';
import type { EventPreview } from '#contract/app/sales/event-preview.ts';
import { PublishDialog } from '#web/profile/events/PublishDialog.tsx';
import type { EventEdit } from '#web/profile/form-schemas.ts';
import { AddPhotosDialog } from '#web/profile/photos/AddPhotosDialog.tsx';
import { ArrangePhotosDialog } from '#web/profile/photos/arrange/ArrangePhotosDialog.tsx';
import { DeletePhotosDialog } from '#web/profile/photos/DeletePhotosDialog.tsx';
import type { PhotoDialog } from './PhotosSection.tsx';
import { ReviewDialog } from './ReviewDialog.tsx';

export type EditorDialog = { is: PhotoDialog | 'publish' } | { is: 'review'; edit: EventEdit };

interface EditorDialogsProps {
  open: EditorDialog;
  stored: OrganizerEvent;
  emails: EventPreview['emails'];
  onPhotos: () => Promise<void>;
  /** Published for the first time: the form starts over once that was read. */
  onPublished: () => void;
  /** Changed: the form starts over. */
  onSaved: () => Promise<void>;
  onClose: () => void;
}

/** What opens over the editor. Loaded once the page is used. */
function EditorDialogs({ open, stored, emails, onPhotos, onPublished, onSaved, onClose }: EditorDialogsProps) {
  switch (open.is) {
    case 'add-photos':
      return <AddPhotosDialog event={stored} onClose={onClose} onUploaded={onPhotos} />;
    case 'arrange-photos':
      return <ArrangePhotosDialog event={stored} onClose={onClose} onSaved={onPhotos} />;
    case 'delete-photos':
      return <DeletePhotosDialog event={stored} onClose={onClose} onDeleted={onPhotos} />;
    case 'publish':
      return (
        <PublishDialog
          event={stored}
          onPublished={async () => onPublished()}
          onClose={() => {
            onClose();
            void onSaved();
          }}
        />
      );
    case 'review':
      return <ReviewDialog stored={stored} edit={open.edit} emails={emails} onSaved={onSaved} onClose={onClose} />;
  }
}

export { EditorDialogs as Component };
