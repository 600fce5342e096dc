import type { OrganizerEvent } from '#contract/app/events.ts';
import { photoSource } from '#web/photo-source.ts';
import { IconButton } from '#web/ui/button/IconButton.tsx';
import styles from './AddPhotosDialog.module.css';
import tiles from './PhotoTiles.module.css';
import { PhotoTiles } from './PhotoTiles.tsx';
import type { ChosenPhoto, useChosenPhotos } from './use-chosen-photos.ts';

interface ChosenPhotosProps {
  event: OrganizerEvent;
  chosen: ReturnType<typeof useChosenPhotos>;
  /** For each chosen photo, why it can't be uploaded, or `null`. */
  problems: readonly (string | null)[];
}

/** Photos of the event after the upload, in order. Files that can't be uploaded are listed with the reason. */
export function ChosenPhotos({ event, chosen, problems }: ChosenPhotosProps) {
  const accepted = chosen.photos.filter((_, index) => problems[index] === null);
  const invalid = chosen.photos.filter((_, index) => problems[index] !== null);

  return (
    <>
      {accepted.length > 0 && (
        <PhotoTiles label={`Photos of ${event.title} after the upload`}>
          {event.eventPhotos.map((photo, index) => (
            <li key={photo} className={tiles.tile}>
              <div className={tiles.image}>
                <img src={photoSource(photo)} alt="" />
                {index === (event.coverPhoto ?? 0) && <span className={tiles.badge}>Cover</span>}
              </div>
              <p className={tiles.caption}>Photo {index + 1}</p>
            </li>
          ))}
          {accepted.map((photo, index) => (
            <NewPhoto
              key={photo.id}
              photo={photo}
              chosen={chosen}
              isCover={event.eventPhotos.length + index === 0}
              isFirst={index === 0}
              isLast={index === accepted.length - 1}
            />
          ))}
        </PhotoTiles>
      )}
      <ul className={styles.invalid} aria-label="Files that can't be uploaded">
        {invalid.map((photo) => (
          <li key={photo.id}>
            <div>
              {photo.file.name}
              <p className={styles.problem}>{problems[chosen.photos.indexOf(photo)]}</p>
            </div>
            <IconButton icon="close" label={`Remove ${photo.file.name}`} onClick={() => chosen.remove(photo.id)} />
          </li>
        ))}
      </ul>
    </>
  );
}

interface NewPhotoProps {
  photo: ChosenPhoto;
  chosen: ReturnType<typeof useChosenPhotos>;
  isCover: boolean;
  isFirst: boolean;
  isLast: boolean;
}

function NewPhoto({ photo, chosen, isCover, isFirst, isLast }: NewPhotoProps) {
  const { id, file } = photo;
  return (
    <li className={tiles.tile}>
      <div className={tiles.image}>
        <img
          src={photo.preview}
          alt=""
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
            chosen.measure(id, naturalWidth * naturalHeight)
          }
          onError={() => chosen.measure(id, 0)}
        />
        <span className={tiles.badge}>{isCover ? 'New, cover' : 'New'}</span>
      </div>
      <div className={styles.newLine}>
        <span className={tiles.name} title={file.name}>
          {file.name}
        </span>
        <span className={styles.controls}>
          {!isFirst && (
            <IconButton icon="chevron-left" label={`Move ${file.name} earlier`} onClick={() => chosen.move(id, -1)} />
          )}
          {!isLast && (
            <IconButton icon="chevron-right" label={`Move ${file.name} later`} onClick={() => chosen.move(id, 1)} />
          )}
          <IconButton
            icon="close"
            label={`Remove ${file.name}`}
            className={styles.remove}
            onClick={() => chosen.remove(id)}
          />
        </span>
      </div>
    </li>
  );
}
