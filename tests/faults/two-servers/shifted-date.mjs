/** Loaded into a server with `--import`. Shifts the machine's clock by SHIFT_SECONDS. */
const shiftMs = Number(process.env['SHIFT_SECONDS'] ?? 0) * 1000;
const RealDate = Date;

globalThis.Date = class Date extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + shiftMs);
    else super(...given);
  }

  static now() {
    return RealDate.now() + shiftMs;
  }
};
