import { useEffect, useRef, useState } from 'react';
import type { OrganizerEvent } from '#contract/app/events.ts';
import { addPhotos } from '#contract/app/photos.ts';
import { PHOTOS_PER_EVENT_MAX, PHOTOS_SHOWN } from '#domain/limits.ts';
import { photoErrors, photosUploaded } from '#messages/photos.ts';
import { messageFrom, upload } from '#web/api.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Dialog } from '#web/ui/dialog/Dialog.tsx';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { bringIntoView } from '#web/ui/page/bring-into-view.ts';
import { classNames } from '#web/ui/styles/class-names.ts';
import styles from './AddPhotosDialog.module.css';
import { ChosenPhotos } from './ChosenPhotos.tsx';
import { PhotoDropZone } from './PhotoDropZone.tsx';
import { photoProblems } from './photo-problems.ts';
import { useChosenPhotos } from './use-chosen-photos.ts';

interface AddPhotosDialogProps {
  event: OrganizerEvent;
  onClose: () => void;
  onUploaded: () => Promise<void>;
}

export function AddPhotosDialog({ event, onClose, onUploaded }: AddPhotosDialogProps) {
  const chosen = useChosenPhotos();
  const [progress, setProgress] = useState<number | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const sending = useRef<AbortController>(null);
  // Closing the dialog aborts the upload.
  useEffect(() => () => sending.current?.abort(), []);

  const problems = photoProblems(chosen.photos, event.eventPhotos.length);
  const accepted = chosen.photos.filter((_, index) => problems[index] === null);

  function choose(files: readonly File[]) {
    setProblem(null);
    chosen.add(files);
  }

  async function send() {
    // The specification asks for a native alert here.
    if (accepted.length === 0) {
      setProblem(photoErrors['photo.no-files']);
      return window.alert(photoErrors['photo.no-files']);
    }
    setProblem(null);
    setProgress(0);
    sending.current = new AbortController();
    const { signal } = sending.current;
    const images = accepted.map(({ file }) => file);
    try {
      await upload(addPhotos, { eventId: event.eventId }, { images }, setProgress, { signal });
      toast.success(photosUploaded);
      await onUploaded();
      onClose();
    } catch (error) {
      setProgress(null);
      if (signal.aborted) return setProblem('Upload stopped. Nothing was added.');
      toast.error('Error uploading files');
      setProblem(messageFrom(error, 'Please try again.'));
    }
  }

  return (
    <Dialog title="Upload Photos" open wide onClose={onClose}>
      <div className={styles.body}>
        <p>
          {event.title} has {event.eventPhotos.length} of {PHOTOS_PER_EVENT_MAX} photos. The first one is the cover
          unless you choose another, and the first {PHOTOS_SHOWN} show on the event page.
        </p>
        <PhotoDropZone onFiles={choose} />
        <ChosenPhotos event={event} chosen={chosen} problems={problems} />
        {progress !== null && <UploadProgress share={progress} bytes={sizeOf(accepted)} />}
        {problem && (
          <div ref={bringIntoView} className={styles.feedback}>
            <Banner kind="error">{problem}</Banner>
          </div>
        )}
        <div className={styles.choices}>
          <Button busy={progress !== null} onClick={send}>
            {accepted.length > 0 ? `Upload (${accepted.length})` : 'Upload'}
          </Button>
          {progress !== null && (
            <Button kind="ghost" onClick={() => sending.current?.abort()}>
              Cancel Upload
            </Button>
          )}
        </div>
      </div>
    </Dialog>
  );
}

/** Shows the upload progress, then an indeterminate bar while the server processes the photos. */
function UploadProgress({ share, bytes }: { share: number; bytes: number }) {
  const sent = `${megabytes(share * bytes)} of ${megabytes(bytes)} MB`;
  return (
    <div ref={bringIntoView} className={classNames(styles.progress, styles.feedback)}>
      <p>{share < 1 ? `Uploading, ${sent}` : 'Uploaded. Getting the photos ready…'}</p>
      <progress aria-label="Upload" max={1} value={share < 1 ? share : undefined} />
    </div>
  );
}

const sizeOf = (photos: readonly { size: number }[]) => photos.reduce((sum, { size }) => sum + size, 0);

const megabytes = (bytes: number) => (bytes / 1024 / 1024).toFixed(1);
