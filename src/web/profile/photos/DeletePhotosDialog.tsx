import { useState } from 'react';
import type { OrganizerEvent } from '#contract/app/events.ts';
import { deletePhotos } from '#contract/app/photos.ts';
import { irreversible, unknownError } from '#messages/pages.ts';
import { photoErrors, photosDeleted } from '#messages/photos.ts';
import { call, messageFrom } from '#web/api.ts';
import { photoSource } from '#web/photo-source.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Dialog } from '#web/ui/dialog/Dialog.tsx';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import field from '#web/ui/form/Field.module.css';
import { bringIntoView } from '#web/ui/page/bring-into-view.ts';
import { classNames } from '#web/ui/styles/class-names.ts';
import styles from './DeletePhotosDialog.module.css';
import tiles from './PhotoTiles.module.css';
import { PhotoTiles } from './PhotoTiles.tsx';

interface DeletePhotosDialogProps {
  event: OrganizerEvent;
  onClose: () => void;
  onDeleted: () => Promise<void>;
}

export function DeletePhotosDialog({ event, onClose, onDeleted }: DeletePhotosDialogProps) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [isDeleting, setIsDeleting] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  // Drops photos that were deleted in another window.
  const photosToDelete = event.eventPhotos.filter((photo) => chosen.has(photo));

  function toggle(photo: string) {
    const next = new Set(chosen);
    if (!next.delete(photo)) next.add(photo);
    setChosen(next);
  }

  async function send() {
    if (photosToDelete.length === 0) return toast.error(photoErrors['photo.none-selected']);
    setIsDeleting(true);
    setProblem(null);
    try {
      await call(deletePhotos, { eventId: event.eventId, photosToDelete });
      toast.success(photosDeleted);
      await onDeleted();
      onClose();
    } catch (error) {
      toast.error('Failed to delete selected photos. Please try again.');
      setProblem(messageFrom(error, unknownError));
      setIsDeleting(false);
    }
  }

  return (
    <Dialog title="Delete Photos" open wide onClose={onClose}>
      <div className={styles.body}>
        {event.eventPhotos.length === 0 ? (
          <p>{event.title} has no photos.</p>
        ) : (
          <p>Choose the photos to delete. {irreversible}</p>
        )}
        <PhotoTiles label={`Photos of ${event.title}`}>
          {event.eventPhotos.map((photo, index) => (
            <li key={photo}>
              <label className={classNames(tiles.tile, tiles.choice)}>
                <span className={tiles.image}>
                  <img src={photoSource(photo)} alt="" />
                  {index === (event.coverPhoto ?? 0) && <span className={tiles.badge}>Cover</span>}
                </span>
                <span className={tiles.caption}>
                  <input
                    type="checkbox"
                    className={field.box}
                    checked={chosen.has(photo)}
                    onChange={() => toggle(photo)}
                  />
                  Photo {index + 1}
                </span>
              </label>
            </li>
          ))}
        </PhotoTiles>
        {problem && (
          <div ref={bringIntoView} className={styles.problem}>
            <Banner kind="error">Error deleting photos: {problem}</Banner>
          </div>
        )}
        <div className={styles.choices}>
          <Button kind="danger" busy={isDeleting} onClick={send}>
            {photosToDelete.length > 0 ? `Delete Selected (${photosToDelete.length})` : 'Delete Selected'}
          </Button>
          <Button kind="ghost" onClick={onClose}>
            Close
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
