import { useState } from 'react';
import { PHOTO_BYTES_MAX } from '#domain/limits.ts';
import { classNames } from '#web/ui/styles/class-names.ts';
import styles from './AddPhotosDialog.module.css';

/** A file input (with the camera on phones) that also accepts dropped files. */
export function PhotoDropZone({ onFiles }: { onFiles: (files: File[]) => void }) {
  const [isOver, setIsOver] = useState(false);

  return (
    <div
      className={classNames(styles.drop, isOver && styles.over)}
      onDragOver={(drag) => {
        drag.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(drop) => {
        drop.preventDefault();
        setIsOver(false);
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
            // Lets the same file be chosen again after it was removed.
            change.target.value = '';
          }}
        />
      </label>
      <p>JPEG, PNG or WebP, up to {PHOTO_BYTES_MAX / 1024 / 1024} MB each. Drag and drop works, too.</p>
    </div>
  );
}
