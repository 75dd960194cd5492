// One slice of load: keep-alive sockets that send the next request as soon as the last answer is complete.
import { connect } from 'node:net';
import { quantile } from './statistics.mjs';

const PATIENCE_MS = 15_000;

/**
 * Sends `requests` (raw HTTP/1.1 texts, in turn) over `connections` sockets for `ms`, or until `most` were sent,
 * and waits for the last answers, so that nothing is left queued for the next slice.
 */
export async function runSlice({ port, requests, expect = 200, connections = 10, ms = 1000, most = Number.POSITIVE_INFINITY }) {
  const payloads = requests.map((text) => Buffer.from(text));
  const run = { latencies: [], bytes: 0, sent: 0, failures: {}, ended: 0, deadline: 0 };
  run.next = () => (run.sent < most && performance.now() < run.deadline ? payloads[run.sent++ % payloads.length] : undefined);
  run.fail = (reason) => {
    run.failures[reason] = (run.failures[reason] ?? 0) + 1;
  };
  const lines = await Promise.all(Array.from({ length: connections }, () => openLine(port, expect, run)));
  const started = performance.now();
  run.deadline = started + ms;
  const giveUp = setTimeout(() => {
    for (const line of lines) line.abandon();
  }, ms + PATIENCE_MS);
  await Promise.all(lines.map((line) => line.talk()));
  clearTimeout(giveUp);
  const { latencies, failures, bytes } = run;
  const seconds = (run.ended - started) / 1000;
  return {
    completed: latencies.length,
    failures,
    perSecond: latencies.length / seconds,
    bytes: Math.round(bytes / Math.max(1, latencies.length)),
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
  };
}

function openLine(port, expect, run) {
  return new Promise((opened, refused) => {
    let sentAt = 0;
    let waiting = false;
    let hangUp = () => {};
    const answer = answerReader((status, bytes) => {
      run.ended = performance.now();
      waiting = false;
      run.bytes += bytes;
      if (status === expect) run.latencies.push(run.ended - sentAt);
      else run.fail(`status ${status}`);
      ask();
    });
    const onread = {
      buffer: Buffer.allocUnsafe(65_536),
      callback: (length, buffer) => {
        answer(buffer, length);
        return true;
      },
    };
    const socket = connect({ host: '127.0.0.1', port, noDelay: true, onread });
    const ask = () => {
      const payload = run.next();
      if (!payload) return socket.destroy();
      waiting = true;
      sentAt = performance.now();
      socket.write(payload);
    };
    const talk = () =>
      new Promise((done) => {
        hangUp = done;
        ask();
      });
    const abandon = () => socket.destroy();
    socket.on('connect', () => opened({ talk, abandon }));
    socket.on('error', (error) => {
      run.fail(error.code ?? error.message);
      waiting = false;
      refused(error);
    });
    socket.on('close', () => {
      if (waiting) run.fail('closed before the answer');
      hangUp();
    });
  });
}

/** Finds the ends of answers in a stream of bytes without keeping their bodies. */
function answerReader(complete) {
  let state = 'head';
  let text = '';
  let status = 0;
  let left = 0;
  let bytes = 0;

  const finish = () => {
    state = 'head';
    const size = bytes;
    bytes = 0;
    complete(status, size);
  };

  const readHead = (buffer, from, length) => {
    const known = text.length;
    text += buffer.latin1Slice(from, Math.min(length, from + 1024));
    const end = text.indexOf('\r\n\r\n');
    if (end < 0) return from + text.length - known;
    const head = text.slice(0, end);
    text = '';
    status = Number(head.slice(9, 12));
    const size = /\r\ncontent-length: *(\d+)/i.exec(head);
    left = size ? Number(size[1]) : 0;
    bytes = left;
    if (left > 0) state = 'body';
    else if (!size && /\r\ntransfer-encoding: *chunked/i.test(head)) state = 'chunk size';
    else finish();
    return from + end + 4 - known;
  };

  const skip = (from, length) => {
    const step = Math.min(left, length - from);
    left -= step;
    if (left === 0) {
      if (state === 'body') finish();
      else state = 'chunk size';
    }
    return from + step;
  };

  const readLine = (buffer, from, length) => {
    let at = from;
    while (at < length && buffer[at] !== 10) at++;
    text += buffer.latin1Slice(from, at);
    if (at === length) return at;
    const line = text.trim();
    text = '';
    if (state === 'trailer') {
      if (line === '') finish();
    } else {
      const size = Number.parseInt(line, 16);
      bytes += size;
      left = size + 2;
      state = size === 0 ? 'trailer' : 'chunk';
    }
    return at + 1;
  };

  return (buffer, length) => {
    let at = 0;
    while (at < length) {
      if (state === 'head') at = readHead(buffer, at, length);
      else if (state === 'body' || state === 'chunk') at = skip(at, length);
      else at = readLine(buffer, at, length);
    }
  };
}
