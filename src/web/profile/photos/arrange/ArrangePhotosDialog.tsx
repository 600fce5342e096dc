import { useState } from 'react';
import type { OrganizerEvent } from '#contract/app/events.ts';
import { arrangePhotos } from '#contract/app/photos.ts';
import { PHOTOS_SHOWN } from '#domain/limits.ts';
import { unknownError } from '#messages/pages.ts';
import { photosArranged, arrangeText as text } from '#messages/records/arrange-photos.ts';
import { call, codeFrom, messageFrom } from '#web/api.ts';
import { DiscardChangesDialog } from '#web/profile/event-dialogs/DiscardChangesDialog.tsx';
import { Button } from '#web/ui/button/Button.tsx';
import { Dialog } from '#web/ui/dialog/Dialog.tsx';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { bringIntoView } from '#web/ui/page/bring-into-view.ts';
import { ArrangedTiles } from './ArrangedTiles.tsx';
import styles from './arrange.module.css';
import { PhotoEditor } from './PhotoEditor.tsx';
import { useArrangement } from './use-arrangement.ts';

interface ArrangePhotosDialogProps {
  event: OrganizerEvent;
  onClose: () => void;
  onSaved: () => Promise<void>;
}

/** The order of an event's photos, its cover, and what stays in view where they are cropped. */
export function ArrangePhotosDialog({ event, onClose, onSaved }: ArrangePhotosDialogProps) {
  const arrangement = useArrangement(event);
  const [edited, setEdited] = useState<string | null>(null);
  /** The photo whose button takes the focus when the tiles are back. */
  const [left, setLeft] = useState<string | null>(null);
  const [isSaving, setIsSaving] = useState(false);
  const [isLeaving, setIsLeaving] = useState(false);
  const [problem, setProblem] = useState<{ msg: string; isOutdated: boolean } | null>(null);
  const position = arrangement.photos.findIndex(({ url }) => url === edited);
  const photo = arrangement.photos[position];

  async function save() {
    setIsSaving(true);
    setProblem(null);
    try {
      await call(arrangePhotos, { eventId: event.eventId, ...arrangement.input() });
      toast.success(photosArranged);
      await onSaved();
      onClose();
    } catch (error) {
      const isOutdated = codeFrom(error) === 'photo.changed';
      // What another window made of the photos.
      if (isOutdated) await onSaved();
      setProblem({ msg: messageFrom(error, unknownError), isOutdated });
      setIsSaving(false);
    }
  }

  function startAgain() {
    arrangement.startAgain(event);
    setProblem(null);
    setEdited(null);
  }

  return (
    <Dialog title={text.title} open wide onClose={() => (arrangement.isChanged ? setIsLeaving(true) : onClose())}>
      <div className={styles.body}>
        {photo ? (
          <PhotoEditor photo={photo} position={position + 1} arrangement={arrangement} />
        ) : (
          <>
            <p>{text.lead(PHOTOS_SHOWN)}</p>
            <ArrangedTiles
              label={text.photos(event.title)}
              arrangement={arrangement}
              focused={left}
              onEdit={setEdited}
            />
          </>
        )}
        {problem && (
          <div ref={bringIntoView} className={styles.problem}>
            <Banner kind="error">{problem.msg}</Banner>
            {problem.isOutdated && (
              <Button kind="ghost" onClick={startAgain}>
                {text.showCurrent}
              </Button>
            )}
          </div>
        )}
        <div className={styles.choices}>
          <Button busy={isSaving} onClick={save}>
            {text.save}
          </Button>
          {photo && (
            <Button
              kind="ghost"
              onClick={() => {
                setLeft(edited);
                setEdited(null);
              }}
            >
              {text.back}
            </Button>
          )}
        </div>
      </div>
      {isLeaving && <DiscardChangesDialog onStay={() => setIsLeaving(false)} onDrop={onClose} />}
    </Dialog>
  );
}
