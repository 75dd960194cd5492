// Preloaded into a server by profile.mjs: the first SIGUSR2 starts the CPU profiler, the second writes WM_BENCH_PROFILE.
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';

const session = new Session();
let recording = false;

process.on('SIGUSR2', () => {
  if (!recording) {
    recording = true;
    session.connect();
    session.post('Profiler.enable');
    session.post('Profiler.setSamplingInterval', { interval: 200 });
    session.post('Profiler.start');
    return;
  }
  session.post('Profiler.stop', (_, { profile }) => writeFileSync(process.env.WM_BENCH_PROFILE, JSON.stringify(profile)));
});
