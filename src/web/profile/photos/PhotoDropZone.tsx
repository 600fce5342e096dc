import { useState } from 'react';
import { PHOTO_BYTES_MAX } from '#domain/limits.ts';
import { classNames } from '#web/ui/styles/class-names.ts';
import styles from './AddPhotosDialog.module.css';

/** Files by the browser's chooser (on a phone also its camera), or dropped. */
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
            // So that a file that was removed from the list can be chosen again.
            change.target.value = '';
          }}
        />
      </label>
      <p>JPEG, PNG or WebP, up to {PHOTO_BYTES_MAX / 1024 / 1024} MB each. You can drop them here.</p>
    </div>
  );
}
