// Makes a screenshot small: a PNG of true colours becomes one with a palette of at most 256.
import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

const chunksOf = (png) => {
  const chunks = [];
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    chunks.push({ type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) });
    at += length + 12;
  }
  return chunks;
};

const paeth = (a, b, c) => {
  const [p, q, r] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)];
  return p <= q && p <= r ? a : q <= r ? b : c;
};

/** Undoes the filters of the rows. @returns the bytes of all pixels, `size` each */
const pixelsOf = (packed, width, height, size) => {
  const raw = inflateSync(packed);
  const line = width * size;
  const pixels = Buffer.alloc(line * height);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (line + 1)];
    for (let x = 0; x < line; x++) {
      const left = x < size ? 0 : pixels[y * line + x - size];
      const up = y === 0 ? 0 : pixels[(y - 1) * line + x];
      const corner = x < size || y === 0 ? 0 : pixels[(y - 1) * line + x - size];
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter];
      pixels[y * line + x] = (raw[y * (line + 1) + 1 + x] + guess) & 255;
    }
  }
  return pixels;
};

const distance = (a, b) =>
  ((a >> 16) - (b >> 16)) ** 2 + (((a >> 8) & 255) - ((b >> 8) & 255)) ** 2 + ((a & 255) - (b & 255)) ** 2;

/** The most used colours, then those that are not all but the same, and for each colour the place of the nearest of them. */
const paletteOf = (counts) => {
  const byUse = [...counts].sort((a, b) => b[1] - a[1]);
  const palette = byUse.slice(0, 64).map(([colour]) => colour);
  for (const near of [300, 100, 20, 0]) {
    for (const [colour] of byUse) {
      if (palette.length === 256) break;
      if (palette.every((one) => distance(one, colour) > near)) palette.push(colour);
    }
  }
  const places = new Map();
  for (const [colour] of counts) {
    let best = 0;
    for (let i = 1; i < palette.length; i++) if (distance(palette[i], colour) < distance(palette[best], colour)) best = i;
    places.set(colour, best);
  }
  return { palette, places };
};

const chunk = (type, data) => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
};

/** @param png 8 bits a channel, not interlaced, as Chromium writes it */
export const withPalette = (png) => {
  const chunks = chunksOf(png);
  const header = chunks.find(({ type }) => type === 'IHDR').data;
  const [width, height, size] = [header.readUInt32BE(0), header.readUInt32BE(4), header[9] === 6 ? 4 : 3];
  const pixels = pixelsOf(
    Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data)),
    width,
    height,
    size,
  );
  const counts = new Map();
  const colours = new Uint32Array(width * height);
  for (let i = 0; i < colours.length; i++) {
    colours[i] = (pixels[i * size] << 16) | (pixels[i * size + 1] << 8) | pixels[i * size + 2];
    counts.set(colours[i], (counts.get(colours[i]) ?? 0) + 1);
  }
  const { palette, places } = paletteOf(counts);
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) rows[y * (width + 1) + 1 + x] = places.get(colours[y * width + x]);
  const indexed = Buffer.from(header);
  indexed[8] = 8;
  indexed[9] = 3;
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', indexed),
    chunk('PLTE', Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]))),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
};
