import { useRef, useState } from 'react';
import { arrangeText as text } from '#messages/records/arrange-photos.ts';
import { inFocus, photoSource } from '#web/photo-source.ts';
import tiles from '#web/profile/photos/PhotoTiles.module.css';
import { PhotoTiles } from '#web/profile/photos/PhotoTiles.tsx';
import { IconButton } from '#web/ui/button/IconButton.tsx';
import { classNames } from '#web/ui/styles/class-names.ts';
import srOnly from '#web/ui/styles/text.module.css';
import styles from './arrange.module.css';
import type { OpenArrangement } from './use-arrangement.ts';

interface ArrangedTilesProps {
  label: string;
  arrangement: OpenArrangement;
  /** The photo whose edit button takes the focus. */
  focused: string | null;
  onEdit: (url: string) => void;
}

/** Photos to drag, each with buttons that do the same. */
export function ArrangedTiles({ label, arrangement, focused, onEdit }: ArrangedTilesProps) {
  const { photos, cover, move } = arrangement;
  const [dragged, setDragged] = useState<string | null>(null);
  const [target, setTarget] = useState<string | null>(null);
  const [announced, setAnnounced] = useState('');
  /** Takes the focus once: a photo that crosses the divider gets new buttons, and those of the others lose it as they move. */
  const toFocus = useRef<string | null>(focused && `edit ${focused}`);
  const focusOnce = (key: string) => (button: HTMLButtonElement | null) => {
    if (!button || toFocus.current !== key) return;
    button.focus();
    toFocus.current = null;
  };

  function moveTo(url: string, position: number, by: 'earlier' | 'later' | null) {
    if (position < 0 || position >= photos.length) return;
    if (by) toFocus.current = `${by} ${url}`;
    move(url, position);
    setAnnounced(text.moved(position + 1, photos.length));
  }

  return (
    <>
      <PhotoTiles label={label}>
        {photos.map(({ url, focus, altText }, index) => (
          <li key={url}>
            <div
              className={classNames(tiles.tile, styles.tile, target === url && dragged !== url && styles.target)}
              draggable
              onDragStart={({ dataTransfer }) => {
                dataTransfer.effectAllowed = 'move';
                setDragged(url);
              }}
              onDragOver={(drag) => {
                if (!dragged) return;
                drag.preventDefault();
                setTarget(url);
              }}
              onDrop={(drop) => {
                drop.preventDefault();
                if (dragged && dragged !== url) moveTo(dragged, index, null);
              }}
              onDragEnd={() => {
                setDragged(null);
                setTarget(null);
              }}
            >
              <div className={tiles.image}>
                <img src={photoSource(url)} {...inFocus(focus ?? undefined)} alt={altText} draggable={false} />
                {url === cover && <span className={tiles.badge}>{text.cover}</span>}
              </div>
              <div className={styles.controls}>
                <IconButton
                  ref={focusOnce(`earlier ${url}`)}
                  icon="chevron-left"
                  label={text.earlier(index + 1)}
                  aria-disabled={index === 0 || undefined}
                  onClick={() => moveTo(url, index - 1, 'earlier')}
                />
                <IconButton
                  ref={focusOnce(`edit ${url}`)}
                  icon="pencil"
                  label={text.edit(index + 1)}
                  onClick={() => onEdit(url)}
                />
                <IconButton
                  ref={focusOnce(`later ${url}`)}
                  icon="chevron-right"
                  label={text.later(index + 1)}
                  aria-disabled={index === photos.length - 1 || undefined}
                  onClick={() => moveTo(url, index + 1, 'later')}
                />
              </div>
            </div>
          </li>
        ))}
      </PhotoTiles>
      <p className={srOnly.srOnly} role="status">
        {announced}
      </p>
    </>
  );
}
