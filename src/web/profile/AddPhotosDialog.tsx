import { useState } from 'react';
import type { OrganizerEvent } from '#contract/events.ts';
import { addPhotos, photoRefusals, photosUploaded } from '#contract/photos.ts';
import { PHOTO_BYTES_MAX, PHOTOS_PER_EVENT_MAX, PHOTOS_SHOWN } from '#domain/limits.ts';
import { messageFrom, upload } from '#web/api.ts';
import { Button } from '#web/ui/Button.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { IconButton } from '#web/ui/IconButton.tsx';
import { toast } from '#web/ui/toast.ts';
import styles from './AddPhotosDialog.module.css';

interface AddPhotosDialogProps {
  event: OrganizerEvent;
  onClose: () => void;
  onUploaded: () => Promise<void>;
}

export function AddPhotosDialog({ event, onClose, onUploaded }: AddPhotosDialogProps) {
  const [files, setFiles] = useState<File[]>([]);
  const [progress, setProgress] = useState<number | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const accepted = files.filter((file) => !refusalOf(file));

  async function send() {
    // The one answer that is a native alert, not a toast.
    if (accepted.length === 0) {
      setProblem(photoRefusals['no-files']);
      return window.alert(photoRefusals['no-files']);
    }
    setProblem(null);
    setProgress(0);
    try {
      await upload(addPhotos, { eventId: event.eventId }, { images: accepted }, setProgress);
      toast.success(photosUploaded);
      await onUploaded();
      onClose();
    } catch (error) {
      setProblem(messageFrom(error, ''));
      toast.error('Error uploading files');
      setProgress(null);
    }
  }

  return (
    <Dialog title="Upload Photos" open onClose={onClose}>
      <div className={styles.body}>
        <p>
          {event.title} has {event.eventPhotos.length} of {PHOTOS_PER_EVENT_MAX} photos. The first one is the cover, and
          the first {PHOTOS_SHOWN} show on the event page.
        </p>
        <DropZone onFiles={(added) => setFiles((before) => [...before, ...added])} />
        <ul className={styles.files}>
          {files.map((file) => (
            <FileRow
              key={`${file.name}/${file.size}/${file.lastModified}`}
              file={file}
              onRemove={() => setFiles(files.filter((other) => other !== file))}
            />
          ))}
        </ul>
        {progress !== null && (
          <label className={styles.progress}>
            Uploading
            <progress max={1} value={progress} />
          </label>
        )}
        {problem && <p className={styles.refusal}>{problem}</p>}
        <Button busy={progress !== null} onClick={send}>
          Upload
        </Button>
      </div>
    </Dialog>
  );
}

function DropZone({ onFiles }: { onFiles: (files: File[]) => void }) {
  return (
    <div
      className={styles.drop}
      onDragOver={(drag) => drag.preventDefault()}
      onDrop={(drop) => {
        drop.preventDefault();
        onFiles([...drop.dataTransfer.files]);
      }}
    >
      <label className={styles.choose}>
        Choose photos
        <input
          type="file"
          name="images"
          multiple
          accept="image/jpeg,image/png,image/webp"
          onChange={(change) => {
            onFiles([...(change.target.files ?? [])]);
            // So that a file that was removed from the list can be chosen again.
            change.target.value = '';
          }}
        />
      </label>
      <p>JPEG, PNG or WebP, up to {PHOTO_BYTES_MAX / 1024 / 1024} MB each. You can drop them here.</p>
    </div>
  );
}

function FileRow({ file, onRemove }: { file: File; onRemove: () => void }) {
  const refusal = refusalOf(file);
  return (
    <li>
      <div className={styles.name}>
        {file.name}
        <p className={refusal ? styles.refusal : styles.size}>{refusal ?? `${Math.ceil(file.size / 1024)} KB`}</p>
      </div>
      <IconButton label={`Remove ${file.name}`} icon="close" onClick={onRemove} />
    </li>
  );
}

function refusalOf(file: File): string | null {
  if (!/^image\/(jpeg|png|webp)$/.test(file.type)) return photoRefusals['not-a-photo'];
  return file.size > PHOTO_BYTES_MAX ? photoRefusals['too-large'] : null;
}
