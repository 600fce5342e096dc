import { useEffect, useRef } from 'react';
import { ALT_TEXT_MAX } from '#domain/limits.ts';
import { arrangeText as text } from '#messages/records/arrange-photos.ts';
import { inFocus, photoSource } from '#web/photo-source.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { TextField } from '#web/ui/form/fields.tsx';
import { classNames } from '#web/ui/styles/class-names.ts';
import styles from './arrange.module.css';
import { FocusPicker } from './FocusPicker.tsx';
import type { ArrangedPhoto, OpenArrangement } from './use-arrangement.ts';

interface PhotoEditorProps {
  photo: ArrangedPhoto;
  /** From 1. */
  position: number;
  arrangement: OpenArrangement;
}

const CROPS = ['page', 'card', 'ticket', 'link'] as const;

/** One photo: its focal point, whether it is the cover, and its text. */
export function PhotoEditor({ photo, position, arrangement }: PhotoEditorProps) {
  const { url, altText, focus } = photo;
  const isCover = arrangement.cover === url;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);

  return (
    <section className={styles.editor} aria-labelledby="edited-photo">
      <h3 id="edited-photo" ref={heading} tabIndex={-1}>
        {text.photo(position)}
      </h3>
      <FocusPicker
        src={photoSource(url)}
        focus={focus}
        onChange={(point) => arrangement.change(url, { focus: point })}
      />
      <div className={styles.settings}>
        <h4>{text.crops}</h4>
        <ul className={styles.crops}>
          {CROPS.map((crop) => (
            <li key={crop}>
              <img
                className={classNames(styles.crop, styles[crop])}
                src={photoSource(url)}
                {...inFocus(focus ?? undefined)}
                alt=""
              />
              {text.crop[crop]}
            </li>
          ))}
        </ul>
        <TextField
          label={text.altText}
          name="altText"
          hint={text.altTextHint}
          value={altText}
          counterMax={ALT_TEXT_MAX}
          autoComplete="off"
          onChange={({ target }) => arrangement.change(url, { altText: target.value })}
        />
        <Button
          kind="ghost"
          className={styles.asCover}
          aria-pressed={isCover}
          onClick={() => arrangement.chooseCover(url)}
        >
          {isCover ? text.isCover : text.useAsCover}
        </Button>
      </div>
    </section>
  );
}
