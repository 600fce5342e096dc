import type { OrganizerEvent } from '#contract/app/events.ts';
import { arrangeText } from '#messages/records/arrange-photos.ts';
import { editorPhotos as text } from '#messages/records/event-editor.ts';
import { inFocus, photoSource } from '#web/photo-source.ts';
import { EventFormSection } from '#web/profile/event-form/EventFormSection.tsx';
import tiles from '#web/profile/photos/PhotoTiles.module.css';
import { PhotoTiles } from '#web/profile/photos/PhotoTiles.tsx';
import { Button } from '#web/ui/button/Button.tsx';
import styles from './editor.module.css';

export type PhotoDialog = 'add-photos' | 'arrange-photos' | 'delete-photos';

interface PhotosSectionProps {
  /** None before the draft is saved. */
  event: OrganizerEvent | undefined;
  onOpen: (dialog: PhotoDialog) => void;
}

export function PhotosSection({ event, onOpen }: PhotosSectionProps) {
  return (
    <EventFormSection title={text.title} id="photos">
      {!event && <p className={styles.hint}>{text.later}</p>}
      {event && event.eventPhotos.length === 0 && <p className={styles.hint}>{text.none}</p>}
      {event && event.eventPhotos.length > 0 && (
        <>
          <p className={styles.hint}>{event.isDraft ? text.hintOfDraft : text.hint}</p>
          <PhotoTiles label={text.list(event.title)}>
            {event.eventPhotos.map((photo, index) => (
              <li key={photo} className={tiles.tile}>
                <div className={tiles.image}>
                  <img
                    src={photoSource(photo)}
                    alt=""
                    loading="lazy"
                    {...inFocus(event.photoDetails?.[index]?.focus)}
                  />
                  {index === (event.coverPhoto ?? 0) && <span className={tiles.badge}>{text.cover}</span>}
                </div>
                <p className={tiles.caption}>{text.photo(index + 1)}</p>
              </li>
            ))}
          </PhotoTiles>
        </>
      )}
      {event && (
        <div className={styles.choices}>
          <Button kind="ghost" aria-haspopup="dialog" onClick={() => onOpen('add-photos')}>
            {text.add}
          </Button>
          {event.eventPhotos.length > 0 && (
            <>
              <Button kind="ghost" aria-haspopup="dialog" onClick={() => onOpen('arrange-photos')}>
                {arrangeText.title}
              </Button>
              <Button kind="ghost" aria-haspopup="dialog" onClick={() => onOpen('delete-photos')}>
                {text.remove}
              </Button>
            </>
          )}
        </div>
      )}
    </EventFormSection>
  );
}
